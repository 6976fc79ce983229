package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Whether a node's labels satisfy a pod's node selector and required node affinity: the kubelet's own check. */
final class NodeSelection {

    private NodeSelection() {}

    static boolean matches(JsonNode pod, JsonNode node) {
        JsonNode labels = Json.at(node, "metadata", "labels");
        for (var wanted : Json.at(pod, "spec", "nodeSelector").properties()) {
            if (!labels.path(wanted.getKey())
                            .asText("")
                            .equals(wanted.getValue().asText())
                    || !labels.has(wanted.getKey())) {
                return false;
            }
        }
        JsonNode required =
                Json.at(pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return within(required, node);
    }

    /** Whether a node is one of a node selector's; any is where there is none. */
    static boolean within(JsonNode selector, JsonNode node) {
        if (selector.isMissingNode()) {
            return true;
        }
        JsonNode labels = Json.at(node, "metadata", "labels");
        for (JsonNode term : selector.path("nodeSelectorTerms")) {
            if (matchesTerm(term, node, labels)) {
                return true;
            }
        }
        return false;
    }

    /** An empty term matches nothing. */
    private static boolean matchesTerm(JsonNode term, JsonNode node, JsonNode labels) {
        boolean expressions = !term.path("matchExpressions").isEmpty();
        boolean fields = !term.path("matchFields").isEmpty();
        ObjectNode fieldValues = Json.object().put("metadata.name", Json.text(node, "metadata", "name"));
        ObjectNode asExpressions = Json.object();
        asExpressions.set("matchExpressions", term.path("matchFields"));
        return (expressions || fields)
                && LabelSelector.of(term).matches(labels)
                && LabelSelector.of(asExpressions).matches(fieldValues);
    }
}
