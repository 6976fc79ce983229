package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One object of a stream and where it stands.
 *
 * @param source file name, or {@code stdin}
 * @param number its number in the stream among documents that hold something, from 1
 * @param item its number in a List, from 1; 0 where it stands alone
 * @param line line of the stream at which the document begins, from 1; 0 where it is not known
 */
record Document(String source, int number, int item, int line, ObjectNode tree) {
    private static final int LONGEST_SHOWN = 60;

    Document withItem(int index, ObjectNode itemTree) {
        return new Document(source, number, index, line, itemTree);
    }

    /** Where it stands and what it is, for messages. */
    String place() {
        StringBuilder place = new StringBuilder(source);
        if (line > 0) {
            place.append(':').append(line);
        }
        place.append(": document ").append(number);
        if (item > 0) {
            place.append(", item ").append(item);
        }
        String kind = tree.path("kind").asText("");
        if (!kind.isEmpty()) {
            String namespace = tree.path("metadata").path("namespace").asText("");
            String name = tree.path("metadata").path("name").asText("");
            place.append(" (").append(clipped(kind));
            if (!name.isEmpty()) {
                place.append(' ').append(clipped(namespace.isEmpty() ? name : namespace + "/" + name));
            }
            place.append(')');
        }
        return place.toString();
    }

    ScenarioFormatException problem(String message) {
        return new ScenarioFormatException(place() + ": " + message);
    }

    /** A field that is not what it must be; {@code got} is missing where there is nothing. */
    ScenarioFormatException expected(String field, String expected, JsonNode got) {
        String found = got.isMissingNode() || got.isNull() ? "nothing" : shown(got);
        return problem(field + ": expected " + expected + ", got " + found);
    }

    private static String shown(JsonNode got) {
        return switch (got.getNodeType()) {
            case OBJECT -> got.isEmpty() ? "{}" : "an object";
            case ARRAY -> got.isEmpty() ? "[]" : "a list";
            case STRING -> "'" + clipped(got.asText()) + "'";
            default -> clipped(got.asText());
        };
    }

    private static String clipped(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", " ");
        return plain.length() <= LONGEST_SHOWN ? plain : plain.substring(0, LONGEST_SHOWN) + "...";
    }
}
