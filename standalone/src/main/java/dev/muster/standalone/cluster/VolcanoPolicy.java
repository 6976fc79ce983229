package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A lifecycle policy of a Volcano Job or of one of its tasks: on one of these events, or when a pod fails with this exit
 * code, do this.
 *
 * @param events event names; {@code *} stands for each that is not Volcano's own
 * @param exitCode exit code of a failed pod's first container; never 0
 * @param timeout how long to wait before the action, unless something else happens to the pod meanwhile
 */
record VolcanoPolicy(Set<String> events, OptionalInt exitCode, String action, Optional<Duration> timeout) {

    private static final String ANY = "*";

    VolcanoPolicy {
        events = Set.copyOf(events);
    }

    static List<VolcanoPolicy> list(JsonNode policies) {
        List<VolcanoPolicy> list = new ArrayList<>();
        for (JsonNode policy : policies) {
            List<String> events = new ArrayList<>();
            policy.path("events").forEach(event -> events.add(event.asText()));
            if (policy.has("event")) {
                events.add(policy.path("event").asText());
            }
            list.add(new VolcanoPolicy(
                    Set.copyOf(events),
                    policy.path("exitCode").isInt()
                            ? OptionalInt.of(policy.path("exitCode").asInt())
                            : OptionalInt.empty(),
                    policy.path("action").asText(VolcanoActions.SYNC_JOB),
                    duration(policy.path("timeout").asText(""))));
        }
        return list;
    }

    private static Optional<Duration> duration(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(SimulatedDurations.parse(text));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether it answers the event. That a pod is pending is answered only by policies that say for how long. */
    boolean answers(VolcanoEvent event) {
        boolean named = events.contains(event.name()) || events.contains(ANY);
        boolean usable = !event.name().equals(VolcanoEvent.POD_PENDING) || timeout.isPresent();
        return named && usable || exitCode.isPresent() && exitCode.getAsInt() == event.exitCode();
    }
}
