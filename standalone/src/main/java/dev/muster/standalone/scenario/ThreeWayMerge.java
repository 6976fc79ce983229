package dev.muster.standalone.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code kubectl apply} makes of an object that is there: what the manifest says, without what only the manifest before
 * it said, and with everything else that server and controllers have put in. Lists are replaced as a whole, except those whose
 * elements have names, such as containers: these are merged name by name.
 */
final class ThreeWayMerge {
    private ThreeWayMerge() {}

    /** A new tree; the arguments stay as they are. */
    static ObjectNode merge(ObjectNode live, ObjectNode before, ObjectNode wanted) {
        ObjectNode merged = live.deepCopy();
        List<String> dropped = new ArrayList<>();
        before.fieldNames().forEachRemaining(name -> {
            if (!wanted.has(name)) {
                dropped.add(name);
            }
        });
        merged.remove(dropped);
        wanted.properties().forEach(field -> {
            JsonNode there = merged.get(field.getKey());
            JsonNode was = before.path(field.getKey());
            merged.set(field.getKey(), merge(there, was, field.getValue()));
        });
        return merged;
    }

    private static JsonNode merge(JsonNode live, JsonNode before, JsonNode wanted) {
        if (live instanceof ObjectNode there && wanted instanceof ObjectNode object) {
            ObjectNode was = before instanceof ObjectNode object2 ? object2 : object.objectNode();
            return merge(there, was, object);
        }
        if (live instanceof ArrayNode there && wanted instanceof ArrayNode list && named(there) && named(list)) {
            ArrayNode merged = list.arrayNode();
            for (JsonNode element : list) {
                JsonNode was = byName(before, element);
                merged.add(merge(byName(there, element), was, element));
            }
            return merged;
        }
        return wanted.deepCopy();
    }

    private static boolean named(ArrayNode list) {
        for (JsonNode element : list) {
            if (element.path("name").asText("").isEmpty()) {
                return false;
            }
        }
        return !list.isEmpty();
    }

    private static JsonNode byName(JsonNode list, JsonNode element) {
        for (JsonNode candidate : list) {
            if (candidate.path("name").equals(element.path("name"))) {
                return candidate;
            }
        }
        return element.path("absent");
    }
}
