package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The output option of commands that answer with one report rather than a list. */
final class DocumentOutput {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, json or yaml; default: table.")
    OutputFormat format = OutputFormat.table;

    /** Ends the command, named for the message, when the form is one of lists only. */
    void check(String command) {
        if (format == OutputFormat.wide || format == OutputFormat.name) {
            throw CommandException.unusableInput("-o " + format + ": " + command + " answers as table, json or yaml");
        }
    }

    /** Prints the report in the form that was asked for. */
    void print(Environment environment, Supplier<String> text, Supplier<? extends JsonNode> json) {
        environment.out().print(format == OutputFormat.table ? text.get() : Listing.document(format, json.get()));
        environment.out().flush();
    }
}
