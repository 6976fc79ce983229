package dev.muster.ingest;

import dev.muster.service.ServiceProcess;

/** The ingest of one member cluster as a process of its own; see {@link IngestService} for its settings. */
public final class IngestMain {
    private IngestMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) {
        Runtime.getRuntime().exit(ServiceProcess.run(new IngestService(), args, System.getenv()));
    }
}
