package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node as it is now.
 *
 * @param allocatable quantities as written
 */
public record NodeView(
        String cluster,
        String name,
        boolean ready,
        boolean cordoned,
        Map<String, String> labels,
        Map<String, String> allocatable) {

    static NodeView of(String cluster, JsonNode node) {
        // Without a condition it is new, and its kubelet will say within the moment that it is ready.
        boolean ready = true;
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ready = condition.path("status").asText().equals("True");
            }
        }
        return new NodeView(
                cluster,
                node.path("metadata").path("name").asText(),
                ready,
                node.path("spec").path("unschedulable").asBoolean(false),
                texts(node.path("metadata").path("labels")),
                texts(node.path("status").path("allocatable")));
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }

    /** Cluster and name. */
    public String where() {
        return cluster + "/" + name;
    }
}
