package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What the subcommands of {@code muster bench} share. */
final class Benches {
    private Benches() {}

    /** Something that measures on a data directory. */
    @FunctionalInterface
    interface Work<R> {
        R on(Path dataDir) throws IOException, InterruptedException;
    }

    static void require(String option, long value, long least, long most) {
        if (value < least || value > most) {
            String unit = most == 3_600_000 ? " milliseconds" : "";
            throw CommandException.unusableInput(
                    option + " " + value + unit + ": expected " + least + " to " + most + unit);
        }
    }

    /** Runs on an empty directory that stays, or on a temporary one that does not. */
    static <R> R in(Path dataDir, Work<R> work) throws IOException, InterruptedException {
        if (dataDir != null) {
            if (EmbeddedBroker.holdsData(dataDir)) {
                throw CommandException.unusableInput("--data-dir " + dataDir
                        + ": holds the topics of an earlier run; a benchmark starts with an empty directory");
            }
            return work.on(dataDir);
        }
        Path temporary = Files.createTempDirectory("muster-bench-");
        try {
            return work.on(temporary);
        } finally {
            delete(temporary);
        }
    }

    /** The table; or, for programs, JSON on one line, so that it is the last one whatever came before. */
    static void print(
            Environment environment, DocumentOutput output, Supplier<String> text, Supplier<? extends JsonNode> json) {
        if (output.format == OutputFormat.json) {
            environment.out().println(json.get().toString());
            environment.out().flush();
        } else {
            output.print(environment, text, json);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // A file that something still writes: the system's cleaning of temporary files takes what is left.
        }
    }
}
