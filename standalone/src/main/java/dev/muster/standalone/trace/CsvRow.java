package dev.muster.standalone.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** One line of a CSV file; every complaint names file, line and what was expected. */
record CsvRow(Header header, long line, String[] cells) {
    private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    CsvRow {
        if (cells.length != header.width()) {
            throw new TraceFormatException(
                    header.file(), line, cells.length + " cells, expected " + header.width() + " as in the header");
        }
    }

    /** The columns of a file, by name. */
    record Header(Path file, int width, Map<String, Integer> columns) {
        static Header of(Path file, String[] cells, List<String> expected) {
            Map<String, Integer> columns = new LinkedHashMap<>();
            for (int i = 0; i < cells.length; i++) {
                columns.put(cells[i].strip().replace("\uFEFF", ""), i);
            }
            List<String> missing = new ArrayList<>(expected);
            missing.removeAll(columns.keySet());
            if (!missing.isEmpty()) {
                throw new TraceFormatException(file, 1, "the header lacks " + String.join(", ", missing));
            }
            return new Header(file, cells.length, columns);
        }
    }

    boolean has(String column) {
        return header.columns().containsKey(column);
    }

    String text(String column) {
        return cells[header.columns().get(column)].strip();
    }

    String uniqueName(String column, Set<String> seen) {
        String name = text(column);
        if (!OBJECT_NAME.matcher(name).matches()) {
            throw problem(column + " is \"" + name + "\", expected a Kubernetes object name");
        }
        if (!seen.add(name)) {
            throw problem(column + " \"" + name + "\" was seen before, expected each once");
        }
        return name;
    }

    long number(String column, long min, long max) {
        String text = text(column);
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw problem(column + " is \"" + text + "\", expected a whole number");
        }
        if (value < min || value > max) {
            throw problem(column + " is " + value + ", expected "
                    + (max == Long.MAX_VALUE ? "at least " + min : min + " to " + max));
        }
        return value;
    }

    TraceFormatException problem(String problem) {
        return new TraceFormatException(header.file(), line, problem);
    }
}
