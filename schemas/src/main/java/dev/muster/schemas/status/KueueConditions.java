package dev.muster.schemas.status;

import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions that a Workload of Kueue would have (kueue.x-k8s.io, Workload status) where Muster places the job: types and
 * reasons are Kueue's, messages are Muster's. Muster gives quota and place in one decision, so QuotaReserved and Admitted
 * change together. PodsReady is not told: Muster knows which pods have nodes, not which are ready.
 */
public final class KueueConditions {
    private static final String MISCONFIGURED = "Misconfigured";
    private static final String PREEMPTED = "Preempted";

    private KueueConditions() {}

    /** All that apply, in the order in which a workload gets them; none where it names no LocalQueue. */
    public static List<Condition> of(WorkloadStatus status) {
        if (status.getLocalQueue().isEmpty()) {
            return List.of();
        }
        List<Condition> conditions = new ArrayList<>();
        boolean over = over(status.getState());
        boolean leaving = evictedNow(status);
        boolean admitted = admitted(status.getState());
        if (!over) {
            conditions.add(quotaReserved(status, admitted));
            conditions.add(
                    admitted
                            ? new Condition(
                                    "Admitted", true, "Admitted", "The workload is admitted", status.getSinceMillis())
                            : new Condition(
                                    "Admitted",
                                    false,
                                    "NoReservation",
                                    "The workload has no reservation",
                                    status.getSinceMillis()));
        }
        if (status.getEvictedMillis() > 0) {
            evicted(status, leaving || !admitted && !over, conditions);
        }
        if (over) {
            conditions.add(new Condition(
                    "Finished",
                    true,
                    finishedReason(status.getState()),
                    status.getReason().getMessage(),
                    status.getSinceMillis()));
        }
        return List.copyOf(conditions);
    }

    private static Condition quotaReserved(WorkloadStatus status, boolean admitted) {
        if (admitted) {
            String message = "Quota reserved in ClusterQueue " + status.getQueue();
            return new Condition("QuotaReserved", true, "QuotaReserved", message, status.getSinceMillis());
        }
        boolean suspended = status.getState() == WorkloadState.SUSPENDED;
        boolean wrong = status.getReason().getCode().equals(MISCONFIGURED);
        String reason = suspended ? "Suspended" : wrong ? "Inadmissible" : "Pending";
        return new Condition("QuotaReserved", false, reason, status.getReason().getMessage(), status.getSinceMillis());
    }

    /** Evicted and Preempted hold until it is admitted again; then they stay, and say no. Requeued holds while it waits. */
    private static void evicted(WorkloadStatus status, boolean still, List<Condition> conditions) {
        long millis = still ? status.getEvictedMillis() : status.getSinceMillis();
        String message =
                "Preempted to accommodate workload " + status.getEvictedFor() + " by " + status.getEvictedReason();
        String said = still ? message : "Previously: " + message;
        conditions.add(new Condition("Evicted", still, still ? PREEMPTED : "QuotaReserved", said, millis));
        String reason = status.getEvictedReason();
        conditions.add(new Condition(PREEMPTED, still, still ? reason : "QuotaReserved", said, millis));
        if (still && !admitted(status.getState())) {
            conditions.add(new Condition("Requeued", true, PREEMPTED, message, status.getSinceMillis()));
        }
    }

    /** Its eviction was decided after it began to run: its pods are still to leave. */
    private static boolean evictedNow(WorkloadStatus status) {
        return status.getState() == WorkloadState.RUNNING && status.getEvictedMillis() >= status.getSinceMillis();
    }

    private static boolean admitted(WorkloadState state) {
        return state == WorkloadState.PLACED || state == WorkloadState.RUNNING;
    }

    private static boolean over(WorkloadState state) {
        return switch (state) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case INCOMPLETE, WAITING, PLACED, RUNNING, SUSPENDED -> false;
        };
    }

    private static String finishedReason(WorkloadState state) {
        return switch (state) {
            case COMPLETED -> "Succeeded";
            case CANCELLED -> "Cancelled";
            default -> "Failed";
        };
    }
}
