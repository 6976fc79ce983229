package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * States of workloads in the words of the format, from what controllers wrote. While a Volcano Job is in between (Restarting,
 * Aborting, Completing, Terminating) the state is that phase, which equals none of the format's.
 */
final class WorkloadStates {
    private WorkloadStates() {}

    static String ofJob(String kind, JsonNode job) {
        return kind.equals(Kinds.VOLCANO_JOB) ? ofVolcanoJob(job) : ofBatchJob(job);
    }

    private static String ofVolcanoJob(JsonNode job) {
        return job.path("status").path("state").path("phase").asText("Pending");
    }

    private static String ofBatchJob(JsonNode job) {
        if (condition(job, "Complete")) {
            return "Completed";
        }
        if (condition(job, "Failed")) {
            return "Failed";
        }
        if (job.path("spec").path("suspend").asBoolean(false)) {
            return "Suspended";
        }
        return job.path("status").path("ready").asInt(0) > 0 ? "Running" : "Pending";
    }

    /** Of a group by its pods, as long as its phase does not say that it is over. */
    static String ofGroup(JsonNode group, List<PodView> pods) {
        String phase = group.path("status").path("phase").asText("");
        if (phase.equals("Completed") || phase.equals("Finished")) {
            return "Completed";
        }
        if (phase.equals("Failed")) {
            return "Failed";
        }
        int least = Math.max(1, group.path("spec").path("minMember").asInt(1));
        long succeeded =
                pods.stream().filter(p -> p.phase().equals("Succeeded")).count();
        long failed = pods.stream().filter(p -> p.phase().equals("Failed")).count();
        long bound = pods.stream().filter(PodView::bound).count();
        long running = pods.stream()
                .filter(p -> p.bound() && p.phase().equals("Running"))
                .count();
        if (!pods.isEmpty() && succeeded + failed == pods.size()) {
            return succeeded >= least ? "Completed" : "Failed";
        }
        if (running + succeeded >= least && running > 0) {
            return "Running";
        }
        return bound + succeeded >= least ? "Admitted" : "Pending";
    }

    /** Of a Kueue Workload by its conditions. */
    static String ofWorkload(JsonNode workload) {
        if (condition(workload, "Finished")) {
            return reason(workload, "Finished").contains("Failed") ? "Failed" : "Completed";
        }
        if (workload.path("spec").has("active")
                && !workload.path("spec").path("active").asBoolean()) {
            return "Suspended";
        }
        return condition(workload, "Admitted") ? "Admitted" : "Pending";
    }

    static String ofPod(PodView pod) {
        return switch (pod.phase()) {
            case "Succeeded" -> "Completed";
            case "Failed", "Running" -> pod.phase();
            default -> pod.node().isEmpty() ? "Pending" : "Admitted";
        };
    }

    private static boolean condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private static String reason(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("reason").asText("");
            }
        }
        return "";
    }
}
