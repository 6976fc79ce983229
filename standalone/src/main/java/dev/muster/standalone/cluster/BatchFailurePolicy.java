package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/** What a {@code batch/v1} Job's podFailurePolicy says of a failed pod: the first rule that matches decides. */
final class BatchFailurePolicy {

    static final String COUNT = "Count";
    static final String IGNORE = "Ignore";
    static final String FAIL_JOB = "FailJob";

    private BatchFailurePolicy() {}

    /** The action for a failed pod; it counts against the limit where no rule matches. */
    static String action(JsonNode policy, JsonNode pod) {
        for (JsonNode rule : policy.path("rules")) {
            boolean matches = rule.has("onExitCodes")
                    ? matchesExitCode(rule.path("onExitCodes"), pod)
                    : matchesCondition(rule.path("onPodConditions"), pod);
            if (matches) {
                return rule.path("action").asText(COUNT);
            }
        }
        return COUNT;
    }

    /** A container, or the named one, that ended with a code that is in the list, or is not; 0 never matches. */
    private static boolean matchesExitCode(JsonNode onExitCodes, JsonNode pod) {
        String name = onExitCodes.path("containerName").asText("");
        boolean in = onExitCodes.path("operator").asText().equals("In");
        for (String list : new String[] {"containerStatuses", "initContainerStatuses"}) {
            for (JsonNode container : Json.at(pod, "status", list)) {
                JsonNode code = Json.at(container, "state", "terminated", "exitCode");
                boolean meant =
                        name.isEmpty() || container.path("name").asText().equals(name);
                if (meant && code.asInt() != 0 && listed(onExitCodes.path("values"), code.asInt()) == in) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean listed(JsonNode values, int code) {
        for (JsonNode value : values) {
            if (value.asInt() == code) {
                return true;
            }
        }
        return false;
    }

    private static boolean matchesCondition(JsonNode patterns, JsonNode pod) {
        for (JsonNode pattern : patterns) {
            for (JsonNode condition : Json.at(pod, "status", "conditions")) {
                boolean same = condition.path("type").equals(pattern.path("type"))
                        && condition
                                .path("status")
                                .asText()
                                .equals(pattern.path("status").asText("True"));
                if (same) {
                    return true;
                }
            }
        }
        return false;
    }
}
