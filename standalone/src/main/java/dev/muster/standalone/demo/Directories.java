package dev.muster.standalone.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Removes what a demo wrote. */
final class Directories {
    private Directories() {}

    /** Deletes a directory and everything in it, as far as it can. */
    static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // A file that something still writes: the system's cleaning of temporary files takes what is left.
        }
    }
}
