package dev.muster.standalone.cli;

import picocli.CommandLine.Option;

/** The options of everything that lists. */
final class OutputOptions {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, wide, json, yaml or name; default: table.")
    OutputFormat format = OutputFormat.table;

    @Option(names = "--no-headers", description = "Leave the line of column titles out.")
    boolean noHeaders;

    @Option(names = "--sort-by", paramLabel = "FIELD", description = "Sort by a field of the JSON form, such as .name.")
    String sortBy;
}
