package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An object of our own format: every field it has must be known, and of its type.
 *
 * @param path of the object inside the document; empty for the document itself
 */
record Fields(Document document, String path, ObjectNode object) {

    static Fields of(Document document, String path, JsonNode node, Set<String> known) {
        if (!(node instanceof ObjectNode object)) {
            throw document.expected(path.isEmpty() ? "the document" : path, "a mapping", node);
        }
        Fields fields = new Fields(document, path, object);
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw document.problem(fields.field(name) + ": unknown field, expected one of "
                        + String.join(", ", new TreeSet<>(known)));
            }
        });
        return fields;
    }

    boolean has(String name) {
        return object.has(name);
    }

    JsonNode get(String name) {
        return object.path(name);
    }

    String field(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    ScenarioFormatException expected(String name, String expected) {
        return document.expected(field(name), expected, get(name));
    }

    String text(String name, String otherwise) {
        JsonNode value = get(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isTextual()) {
            throw expected(name, "text");
        }
        return value.asText();
    }

    boolean flag(String name) {
        JsonNode value = get(name);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw expected(name, "true or false");
        }
        return value.asBoolean(false);
    }

    /** A duration, or the other where there is none. */
    Long duration(String name, Long otherwise) {
        return has(name) ? (Long) Durations.millis(document, field(name), get(name)) : otherwise;
    }

    int count(String name) {
        JsonNode value = get(name);
        if (!value.isInt() || value.asInt() < 0) {
            throw expected(name, "a whole number, 0 or more");
        }
        return value.asInt();
    }

    /** A list of at least one. */
    List<JsonNode> list(String name, String of) {
        JsonNode value = get(name);
        if (!value.isArray() || value.isEmpty()) {
            throw expected(name, "a list of " + of);
        }
        List<JsonNode> elements = new ArrayList<>();
        value.forEach(elements::add);
        return elements;
    }
}
