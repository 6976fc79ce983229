package dev.muster.schemas.status;

import dev.muster.schemas.decision.WorkloadStatus;
import java.util.List;
import java.util.Optional;

/** Phase and conditions of a Volcano PodGroup (volcano.sh/apis, scheduling/v1beta1), as Volcano's own scheduler gives them. */
public final class VolcanoStatus {
    private static final String POD_GROUP = "VolcanoPodGroup";

    private VolcanoStatus() {}

    /** The phase; empty where Volcano's controller says it, and for other kinds. */
    public static Optional<String> phase(WorkloadStatus status) {
        if (!status.getKind().equals(POD_GROUP)) {
            return Optional.empty();
        }
        return switch (status.getState()) {
            // Part of the minimum runs, and there is no room for the rest.
            case WAITING -> Optional.of(status.getBound() > 0 ? "Unknown" : "Inqueue");
            case INCOMPLETE, PLACED -> Optional.of("Inqueue");
            case RUNNING -> Optional.of("Running");
            case COMPLETED -> Optional.of("Completed");
            case FAILED, CANCELLED, SUSPENDED -> Optional.empty();
        };
    }

    /** Why it waits, or that it does not any more; none once it is over, and for other kinds. */
    public static List<Condition> conditions(WorkloadStatus status) {
        if (!status.getKind().equals(POD_GROUP)) {
            return List.of();
        }
        String message = status.getReason().getMessage();
        return switch (status.getState()) {
            case INCOMPLETE ->
                List.of(new Condition("Unschedulable", true, "NotEnoughPods", message, status.getSinceMillis()));
            case WAITING ->
                List.of(new Condition("Unschedulable", true, "NotEnoughResources", message, status.getSinceMillis()));
            case PLACED, RUNNING ->
                List.of(new Condition(
                        "Scheduled", true, "tasks in gang are ready to be scheduled", "", status.getSinceMillis()));
            case COMPLETED, FAILED, CANCELLED, SUSPENDED -> List.of();
        };
    }
}
