package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Pod statuses as a kubelet reports them. Each takes the pod as it is and returns the pod with its new status. */
final class PodStatuses {

    private PodStatuses() {}

    static ObjectNode running(ObjectNode pod, String now) {
        ObjectNode after = Json.thaw(pod);
        ObjectNode status = Json.thawChild(after, "status");
        status.put("phase", "Running");
        if (!status.has("startTime")) {
            status.put("startTime", now);
        }
        setCondition(status, "Initialized", "True", "", now);
        setCondition(status, "Ready", "True", "", now);
        setCondition(status, "ContainersReady", "True", "", now);
        ObjectNode state = Json.object();
        state.putObject("running").put("startedAt", now);
        status.set("containerStatuses", containers(after, state, true));
        return after;
    }

    static ObjectNode finished(ObjectNode pod, int exitCode, String now) {
        ObjectNode after = Json.thaw(pod);
        ObjectNode status = Json.thawChild(after, "status");
        String reason = exitCode == 0 ? "Completed" : "Error";
        status.put("phase", exitCode == 0 ? "Succeeded" : "Failed");
        setCondition(status, "Ready", "False", exitCode == 0 ? "PodCompleted" : "PodFailed", now);
        setCondition(status, "ContainersReady", "False", exitCode == 0 ? "PodCompleted" : "PodFailed", now);
        ObjectNode state = Json.object();
        state.putObject("terminated")
                .put("exitCode", exitCode)
                .put("reason", reason)
                .put("finishedAt", now);
        status.set("containerStatuses", containers(after, state, false));
        return after;
    }

    static ObjectNode rejected(ObjectNode pod, NodeLedger.Refusal refusal, String now) {
        ObjectNode after = Json.thaw(pod);
        ObjectNode status = Json.thawChild(after, "status");
        status.put("phase", "Failed").put("reason", refusal.reason()).put("message", refusal.message());
        status.put("startTime", now);
        return after;
    }

    /** Marked as about to be deleted by something other than its owner; a pod keeps the first such reason. */
    static ObjectNode disrupted(ObjectNode pod, String reason, String now) {
        ObjectNode after = Json.thaw(pod);
        setCondition(Json.thawChild(after, "status"), "DisruptionTarget", "True", reason, now);
        return after;
    }

    /** Failed because its node is gone. */
    static ObjectNode lost(ObjectNode pod, String now) {
        ObjectNode after = Json.thaw(pod);
        ObjectNode status = Json.thawChild(after, "status");
        status.put("phase", "Failed");
        setCondition(status, "Ready", "False", "PodFailed", now);
        return after;
    }

    /** Sets a condition in a status that may be changed; the list itself is replaced. */
    static void setCondition(ObjectNode status, String type, String value, String reason, String now) {
        ArrayNode conditions = Json.array();
        for (JsonNode condition : status.path("conditions")) {
            if (!condition.path("type").asText().equals(type)) {
                conditions.add(condition);
            } else if (condition.path("status").asText().equals(value)) {
                return;
            }
        }
        ObjectNode condition = conditions.addObject();
        condition.put("type", type).put("status", value).put("lastTransitionTime", now);
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
        status.set("conditions", conditions);
    }

    private static ArrayNode containers(JsonNode pod, ObjectNode state, boolean running) {
        ArrayNode statuses = Json.array();
        for (JsonNode container : Json.at(pod, "spec", "containers")) {
            ObjectNode status = statuses.addObject();
            status.put("name", container.path("name").asText());
            status.put("image", container.path("image").asText());
            status.put("imageID", "").put("restartCount", 0);
            status.put("ready", running).put("started", running);
            status.set("state", state);
        }
        return statuses;
    }
}
