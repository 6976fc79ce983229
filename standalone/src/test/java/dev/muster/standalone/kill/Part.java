package dev.muster.standalone.kill;

/** A part of Muster that runs as a process of its own. */
enum Part {
    BROKER,
    SCHEDULER,
    BINDER,
    INGEST,
    INTAKE
}
