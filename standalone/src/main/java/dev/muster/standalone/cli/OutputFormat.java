package dev.muster.standalone.cli;

/** Forms of an answer. */
public enum OutputFormat {
    /** Columns for people. */
    table,
    /** More columns for people. */
    wide,
    /** One JSON document. */
    json,
    /** One YAML document. */
    yaml,
    /** One name per line. */
    name
}
