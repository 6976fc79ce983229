package dev.muster.scheduler.core.decision;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.List;

/**
 * What became of a decision.
 *
 * @param refused trying again on the same terms cannot help
 * @param members every member of the decision, by pod set and index
 * @param timeMillis the binder's clock; evidence only, nothing is decided by it
 */
public record DecisionOutcome(
        DecisionId decision,
        String cluster,
        WorkloadId workload,
        Status status,
        boolean refused,
        List<MemberOutcome> members,
        long timeMillis) {
    public DecisionOutcome {
        members = List.copyOf(members);
    }

    /** How a decision ended. */
    public enum Status {
        BOUND,
        PARTLY_BOUND,
        COMPENSATED,
        REVOKED,
        DELETED,
        SUPERSEDED,
        /** All that was to be evicted is going or gone. */
        EVICTED,
        /** Not all of it: a pod stays. */
        EVICTION_REFUSED
    }

    /** How a member ended. */
    public enum MemberStatus {
        /** Bound to the decided node. */
        BOUND,
        /** Not bound, and cannot be by this decision any more. */
        RELEASED,
        /** Was bound and is being evicted. */
        EVICTED,
        /** The pod no longer exists. */
        GONE,
        /** Was to be evicted and is not: it still has its node. */
        KEPT
    }

    /**
     * One member, afterwards.
     *
     * @param resourceVersion of a state in which the pod was there; 0 where there is no pod
     */
    public record MemberOutcome(
            int podSet,
            int index,
            String name,
            String uid,
            MemberStatus status,
            String reason,
            String message,
            long resourceVersion) {}
}
