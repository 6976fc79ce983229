package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The arithmetic of pod disruption budgets, as the disruption controller does it. Different from there, the expected
 * count is that of the matching unfinished pods, not the scale of their controllers.
 */
final class DisruptionBudgets {

    /** The numbers of a budget at this moment. */
    record Standing(int expected, int healthy, int desired, int allowed) {}

    private final VersionedStore store;

    DisruptionBudgets(VersionedStore store) {
        this.store = store;
    }

    /** Budgets whose selector matches the pod. */
    List<StoredObject> of(StoredObject pod) {
        List<StoredObject> found = new ArrayList<>();
        for (StoredObject budget : store.list(
                        ResourceKinds.DISRUPTION_BUDGETS, pod.key().namespace())
                .objects()) {
            if (selects(budget.json(), pod.json())) {
                found.add(budget);
            }
        }
        return found;
    }

    Standing standing(StoredObject budget) {
        JsonNode spec = budget.json().path("spec");
        int expected = 0;
        int healthy = 0;
        for (StoredObject pod :
                store.list(ResourceKinds.PODS, budget.key().namespace()).objects()) {
            String phase = Json.text(pod.json(), "status", "phase");
            if (phase.equals("Succeeded") || phase.equals("Failed") || !selects(budget.json(), pod.json())) {
                continue;
            }
            expected++;
            if (healthy(pod)) {
                healthy++;
            }
        }
        int desired = spec.has("maxUnavailable")
                ? Math.max(0, expected - scaled(spec.get("maxUnavailable"), expected))
                : scaled(spec.path("minAvailable"), expected);
        int allowed = expected == 0 ? 0 : Math.max(0, healthy - desired);
        return new Standing(expected, healthy, desired, allowed);
    }

    /** Writes the numbers into the budget's status; nothing is written where they are there already. */
    void status(ObjectNode budget, Standing standing) {
        ObjectNode status = Json.child(budget, "status");
        status.put("expectedPods", standing.expected())
                .put("currentHealthy", standing.healthy())
                .put("desiredHealthy", standing.desired())
                .put("disruptionsAllowed", standing.allowed())
                .put(
                        "observedGeneration",
                        Json.at(budget, "metadata", "generation").asLong());
    }

    static boolean healthy(StoredObject pod) {
        if (pod.deleting() || !Json.text(pod.json(), "status", "phase").equals("Running")) {
            return false;
        }
        for (JsonNode condition : Json.at(pod.json(), "status", "conditions")) {
            if (condition.path("type").asText().equals("Ready")
                    && !condition.path("status").asText().equals("True")) {
                return false;
            }
        }
        return true;
    }

    private static boolean selects(JsonNode budget, JsonNode pod) {
        JsonNode selector = Json.at(budget, "spec", "selector");
        return selector.isObject() && LabelSelector.of(selector).matches(Json.at(pod, "metadata", "labels"));
    }

    /** A count, or a percentage of the expected pods, rounded up. */
    private static int scaled(JsonNode intOrPercent, int expected) {
        String text = intOrPercent.asText("0");
        if (!text.endsWith("%")) {
            return Integer.parseInt(text);
        }
        int percent = Integer.parseInt(text.substring(0, text.length() - 1));
        return (expected * percent + 99) / 100;
    }
}
