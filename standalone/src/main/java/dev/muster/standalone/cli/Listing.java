package dev.muster.standalone.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Renders a list of things in every {@link OutputFormat}. The JSON form is {@code {"items": [...]}}.
 *
 * @param <T> a thing listed
 */
public final class Listing<T> {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build());
    private static final String GAP = "   ";

    private record Column<T>(String title, boolean wideOnly, Function<T, String> text) {}

    private final String noun;
    private final Function<T, String> name;
    private final Function<T, ObjectNode> json;
    private final List<Column<T>> columns = new ArrayList<>();

    /**
     * @param noun what is listed, in the plural
     * @param name what {@code -o name} prints
     * @param json the stable, documented form
     */
    public Listing(String noun, Function<T, String> name, Function<T, ObjectNode> json) {
        this.noun = noun;
        this.name = name;
        this.json = json;
    }

    /** Adds a column. */
    public Listing<T> column(String title, Function<T, String> text) {
        columns.add(new Column<>(title, false, text));
        return this;
    }

    /** Adds a column that only {@code -o wide} shows. */
    public Listing<T> wideColumn(String title, Function<T, String> text) {
        columns.add(new Column<>(title, true, text));
        return this;
    }

    /** What {@code -o name} prints of a thing. */
    String nameOf(T item) {
        return name.apply(item);
    }

    void print(Environment environment, OutputOptions options, List<T> items) {
        List<T> ordered = options.sortBy == null ? items : sorted(items, options.sortBy);
        switch (options.format) {
            case table, wide -> {
                if (ordered.isEmpty()) {
                    environment.err().println("No " + noun + " found.");
                } else {
                    environment.out().print(table(ordered, options));
                }
            }
            case name -> ordered.forEach(item -> environment.out().println(name.apply(item)));
            case json -> environment.out().println(write(JSON, document(ordered)));
            case yaml -> environment.out().print(write(YAML, document(ordered)));
        }
    }

    /** One document as JSON or YAML, for commands whose answer is one thing. */
    static String document(OutputFormat format, JsonNode document) {
        return format == OutputFormat.yaml ? write(YAML, document) : write(JSON, document) + "\n";
    }

    private ObjectNode document(List<T> items) {
        ObjectNode document = JSON.createObjectNode();
        var array = document.putArray("items");
        items.forEach(item -> array.add(json.apply(item)));
        return document;
    }

    private String table(List<T> items, OutputOptions options) {
        List<Column<T>> shown = columns.stream()
                .filter(c -> !c.wideOnly() || options.format == OutputFormat.wide)
                .toList();
        List<List<String>> rows = new ArrayList<>();
        if (!options.noHeaders) {
            rows.add(shown.stream().map(Column::title).toList());
        }
        for (T item : items) {
            rows.add(shown.stream().map(c -> cell(c.text().apply(item))).toList());
        }
        return align(rows);
    }

    /** Rows as left-aligned columns; the last one is not padded. */
    public static String align(List<List<String>> rows) {
        int count = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[count];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                text.append(row.get(i));
                if (i < row.size() - 1) {
                    text.repeat(' ', widths[i] - row.get(i).length()).append(GAP);
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    private List<T> sorted(List<T> items, String field) {
        String pointer =
                "/" + field.replaceFirst("^\\{?\\.?", "").replaceFirst("}$", "").replace('.', '/');
        record Keyed<K>(JsonNode key, K item) {}
        List<Keyed<T>> keyed = items.stream()
                .map(item -> new Keyed<>(json.apply(item).at(pointer), item))
                .toList();
        if (!keyed.isEmpty() && keyed.stream().allMatch(k -> k.key().isMissingNode())) {
            List<String> fields = new ArrayList<>();
            json.apply(items.get(0)).fieldNames().forEachRemaining(fields::add);
            throw CommandException.unusableInput(
                    "--sort-by " + field + ": no such field; expected one of " + String.join(", ", fields));
        }
        return keyed.stream()
                .sorted(Comparator.comparing(Keyed::key, Listing::compare))
                .map(Keyed::item)
                .toList();
    }

    private static int compare(JsonNode a, JsonNode b) {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        return a.asText().compareTo(b.asText());
    }

    static String cell(String text) {
        return text == null || text.isEmpty() ? "-" : text.replaceAll("\\p{Cntrl}", " ");
    }

    private static String write(ObjectMapper mapper, JsonNode document) {
        try {
            return mapper.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
