package dev.muster.standalone.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a user names. */
final class InputFile {
    private InputFile() {}

    /**
     * The file itself, when there is something to read: the messages of the JDK for a directory do not name it.
     *
     * @throws CommandException when it is missing or a directory
     */
    static Path readable(Path file) {
        if (!Files.exists(file)) {
            throw CommandException.unusableInput(file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw CommandException.unusableInput(file + ": is a directory, expected a file");
        }
        return file;
    }
}
