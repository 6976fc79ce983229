package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Taints that force pods off a node, and how long a pod puts up with them. */
final class Taints {

    private Taints() {}

    /** The NoExecute taints of a node. */
    static List<JsonNode> forcing(JsonNode node) {
        List<JsonNode> forcing = new ArrayList<>();
        for (JsonNode taint : Json.at(node, "spec", "taints")) {
            if (taint.path("effect").asText().equals("NoExecute")) {
                forcing.add(taint);
            }
        }
        return forcing;
    }

    /** How long a pod tolerates all of these taints together: 0 for not at all, empty for ever. */
    static Optional<Long> toleratedMillis(List<JsonNode> taints, JsonNode pod) {
        long shortest = Long.MAX_VALUE;
        for (JsonNode taint : taints) {
            boolean tolerated = false;
            for (JsonNode toleration : Json.at(pod, "spec", "tolerations")) {
                if (tolerates(toleration, taint)) {
                    tolerated = true;
                    if (toleration.path("tolerationSeconds").isNumber()) {
                        shortest = Math.min(
                                shortest,
                                Math.max(0, toleration.path("tolerationSeconds").asLong()) * 1000);
                    }
                }
            }
            if (!tolerated) {
                return Optional.of(0L);
            }
        }
        return shortest == Long.MAX_VALUE ? Optional.empty() : Optional.of(shortest);
    }

    /** As core/v1 {@code Toleration.ToleratesTaint} has it. */
    static boolean tolerates(JsonNode toleration, JsonNode taint) {
        String effect = toleration.path("effect").asText("");
        String key = toleration.path("key").asText("");
        if (!effect.isEmpty() && !effect.equals(taint.path("effect").asText())
                || !key.isEmpty() && !key.equals(taint.path("key").asText())) {
            return false;
        }
        return toleration.path("operator").asText("").equals("Exists")
                || !key.isEmpty()
                        && toleration
                                .path("value")
                                .asText("")
                                .equals(taint.path("value").asText(""));
    }
}
