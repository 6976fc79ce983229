package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * Who may have others evicted, and who may be evicted for whom: the one place that says so. A guard refuses by its name, which
 * goes into the reason of the workload that waits. The budget of disruptions is a matter of all victims together and is
 * looked at where they are chosen ({@link VictimSearch}).
 */
final class Guards {
    static final String DISABLED = "PreemptionDisabled";
    static final String NEVER = "PreemptionPolicyNever";
    static final String CASCADE = "CascadeDepth";
    static final String FAILED_STARTS = "FailedStarts";
    static final String QUEUE_RATE = "QueueEvictionRate";
    static final String DOMAIN_RATE = "DomainEvictionRate";
    static final String CEILING = "PriorityCeiling";
    static final String FENCE = "NamespaceFence";
    static final String PROTECTED = "ProtectedClass";
    static final String SERVICE = "ProtectedService";
    static final String UNSETTLED = "Unsettled";
    static final String MINIMUM_RUNTIME = "MinimumRuntime";
    static final String CYCLE = "EvictionCycle";
    static final String BUDGET = "DisruptionBudget";

    private final DomainState state;
    private final KeptRoom kept;
    private final PreemptionPolicy policy;

    Guards(DomainState state, KeptRoom kept) {
        this.state = state;
        this.kept = kept;
        this.policy = state.policy().preemption();
    }

    /** What a guard refuses, and from when on it may not any more; Long.MAX_VALUE when no time is to be named. */
    record Refusal(String guard, long untilMillis) {
        static Refusal always(String guard) {
            return new Refusal(guard, Long.MAX_VALUE);
        }
    }

    /** Why nobody is evicted for a workload, whoever it is; null when somebody may be. */
    Refusal ofPreemptor(Workload workload) {
        if (!policy.enabled()) {
            return Refusal.always(DISABLED);
        }
        if (!state.mayPreempt(workload)) {
            return Refusal.always(NEVER);
        }
        if (policy.cascadeDepth() > 0 && workload.cascade() >= policy.cascadeDepth()) {
            return Refusal.always(CASCADE);
        }
        if (policy.failedStarts() > 0 && workload.failures() >= policy.failedStarts()) {
            return Refusal.always(FAILED_STARTS);
        }
        long queueFrom = state.evictionsAllowedFrom(workload.queue());
        if (queueFrom > state.timeMillis()) {
            return new Refusal(QUEUE_RATE, queueFrom);
        }
        long domainFrom = state.evictionsAllowedFrom();
        return domainFrom > state.timeMillis() ? new Refusal(DOMAIN_RATE, domainFrom) : null;
    }

    /** The priority that counts when others are to be evicted for a workload. */
    int priorityOf(Workload workload) {
        return Math.min(workload.priority(), policy.ceiling(workload.namespace()));
    }

    /**
     * Why a workload is not evicted for another; null when it may be.
     *
     * @param rights by which it may go; null where lower priority is enough
     */
    Refusal ofVictim(Workload preemptor, Workload victim, Rights rights) {
        Refusal refusal = rights == null ? byPriority(preemptor, victim) : null;
        if (refusal != null) {
            return refusal;
        }
        if (isProtected(victim)) {
            return Refusal.always(PROTECTED);
        }
        if (serves(victim)) {
            return Refusal.always(SERVICE);
        }
        if (victim.count(Member.Phase.HELD) > 0 || kept.evicts(victim)) {
            return Refusal.always(UNSETTLED);
        }
        long ripe = startedMillis(victim) + policy.minimumRuntimeMillis();
        if (ripe > state.timeMillis()) {
            return new Refusal(MINIMUM_RUNTIME, ripe);
        }
        long forgotten = preemptor.evictedMillis() + policy.cycleMemoryMillis();
        if (victim.id().equals(preemptor.evictedFor()) && forgotten > state.timeMillis()) {
            return new Refusal(CYCLE, forgotten);
        }
        return null;
    }

    private Refusal byPriority(Workload preemptor, Workload victim) {
        if (victim.priority() >= priorityOf(preemptor)) {
            return Refusal.always(CEILING);
        }
        boolean inside = switch (policy.fence()) {
            case CLUSTER -> true;
            case QUEUE -> victim.queue().equals(preemptor.queue());
            case NAMESPACE -> victim.namespace().equals(preemptor.namespace());
        };
        return inside ? null : Refusal.always(FENCE);
    }

    /** A class is known by its value: pods do not say its name. */
    private boolean isProtected(Workload victim) {
        for (String name : policy.protectedClasses()) {
            Integer value = state.priorityOf(victim.cluster(), name);
            if (value != null && value == victim.priority()) {
                return true;
            }
        }
        return false;
    }

    private boolean serves(Workload victim) {
        return !policy.protectedLabels().isEmpty()
                && victim.boundMembers().stream().anyMatch(member -> policy.protects(member.labels()));
    }

    /** When enough of it was bound for its minimum, domain time. */
    static long startedMillis(Workload workload) {
        List<Member> bound = workload.boundMembers();
        long[] since = new long[bound.size()];
        for (int i = 0; i < since.length; i++) {
            since[i] = bound.get(i).boundMillis();
        }
        Arrays.sort(since);
        int last = Math.min(Math.max(1, workload.minMember()), since.length) - 1;
        return last < 0 ? 0 : since[last];
    }
}
