package dev.muster.standalone.trace;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of one thing per line, without a header. */
record TraceLines(Path file) {
    /** Makes a thing of a line. */
    @FunctionalInterface
    interface Line<T> {
        T read(long line, String text);
    }

    /** Reads every line; empty ones are passed over. */
    <T> List<T> map(Line<T> reader) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new TraceFormatException(file, 1, "not UTF-8 text");
        }
        List<T> things = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).strip();
            if (!text.isEmpty()) {
                things.add(reader.read(i + 1L, text));
            }
        }
        return things;
    }

    /** A whole number from 0 on. */
    static long number(Path file, long line, String text, String what, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, with the same words.
        }
        throw new TraceFormatException(file, line, "\"" + text + "\", expected " + what + ", 0 to " + most);
    }

    /** The name of a file without its ending. */
    static String baseName(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
