package dev.muster.standalone.scenario;

import dev.muster.standalone.scenario.read.ScenarioReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project's own scenario files, at the top of the checkout. */
public final class ScenarioFiles {
    private static final Path FOLDER = Path.of("..", "scenarios");

    private ScenarioFiles() {}

    /** All of them, by name; {@code -Dmuster.scenarios=DIR} names another folder. */
    public static List<Path> all() {
        Path folder = Path.of(System.getProperty("muster.scenarios", FOLDER.toString()));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(yaml|json)"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Scenario read(Path file) {
        try {
            return ScenarioReader.read(
                            List.of(new ScenarioReader.Input(file.getFileName().toString(), Files.readAllBytes(file))))
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
