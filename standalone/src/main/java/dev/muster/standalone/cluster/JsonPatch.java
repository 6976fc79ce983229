package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** JSON patch (RFC 6902). Every failure, a failed test included, is a 422 as the API server answers it. */
final class JsonPatch {

    private JsonPatch() {}

    /** Applies the operations to a tree that may be changed, and returns the root. */
    static JsonNode apply(JsonNode root, JsonNode operations) {
        if (!operations.isArray()) {
            throw ApiException.badRequest("error decoding patch: a JSON patch is an array");
        }
        JsonNode result = root;
        for (JsonNode operation : operations) {
            result = applyOne(result, operation);
        }
        return result;
    }

    private static JsonNode applyOne(JsonNode root, JsonNode operation) {
        List<String> path = pointer(operation.path("path").asText());
        String name = operation.path("op").asText();
        return switch (name) {
            case "add" -> add(root, path, value(operation));
            case "remove" -> {
                remove(root, path);
                yield root;
            }
            case "replace" -> {
                find(root, path);
                yield replace(root, path, value(operation));
            }
            case "move" -> {
                JsonNode moved = remove(root, pointer(operation.path("from").asText()));
                yield add(root, path, moved);
            }
            case "copy" ->
                add(
                        root,
                        path,
                        find(root, pointer(operation.path("from").asText())).deepCopy());
            case "test" -> {
                if (!find(root, path).equals(operation.path("value"))) {
                    throw failed("testing path " + operation.path("path").asText() + " value differs");
                }
                yield root;
            }
            default -> throw ApiException.badRequest("unexpected JSON patch operation: " + name);
        };
    }

    private static JsonNode value(JsonNode operation) {
        if (!operation.has("value")) {
            throw ApiException.badRequest("a JSON patch operation lacks its value");
        }
        return operation.get("value").deepCopy();
    }

    private static JsonNode add(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        String last = path.getLast();
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array) {
            array.insert(last.equals("-") ? array.size() : index(array, last, array.size()), value);
        } else {
            throw failed("no container at " + path);
        }
        return root;
    }

    private static JsonNode replace(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        JsonNode parent = find(root, path.subList(0, path.size() - 1));
        if (parent instanceof ObjectNode object) {
            object.set(path.getLast(), value);
        } else if (parent instanceof ArrayNode array) {
            array.set(index(array, path.getLast(), array.size() - 1), value);
        }
        return root;
    }

    private static JsonNode remove(JsonNode root, List<String> path) {
        JsonNode found = find(root, path);
        JsonNode parent = find(root, path.subList(0, Math.max(0, path.size() - 1)));
        if (parent instanceof ObjectNode object) {
            object.remove(path.getLast());
        } else if (parent instanceof ArrayNode array) {
            array.remove(index(array, path.getLast(), array.size() - 1));
        }
        return found;
    }

    private static JsonNode find(JsonNode root, List<String> path) {
        JsonNode found = root;
        for (String step : path) {
            found = found instanceof ArrayNode array
                    ? array.get(index(array, step, array.size() - 1))
                    : found.get(step);
            if (found == null) {
                throw failed("nothing at " + path);
            }
        }
        return found;
    }

    private static int index(ArrayNode array, String step, int largest) {
        try {
            int index = Integer.parseInt(step);
            if (index >= 0 && index <= largest) {
                return index;
            }
        } catch (NumberFormatException e) {
            throw failed("not an index: " + step);
        }
        throw failed("index " + step + " is outside an array of " + array.size());
    }

    private static List<String> pointer(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        if (text.charAt(0) != '/') {
            throw ApiException.badRequest("not a JSON pointer: " + text);
        }
        List<String> steps = new ArrayList<>();
        for (String step : text.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private static ApiException failed(String why) {
        return new ApiException(
                422, "Invalid", "the server rejected our request due to an error in our request: " + why);
    }
}
