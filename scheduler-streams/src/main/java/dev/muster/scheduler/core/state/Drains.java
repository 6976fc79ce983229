package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.LocalQueue;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Workloads that run and are to go, since their queue is to be emptied (Kueue, {@code stopPolicy: HoldAndDrain}). Which they are
 * follows from the queues and the pods; what is kept of each is when its eviction was decided last.
 */
public final class Drains {
    /** An eviction that was refused, by a disruption budget above all, is decided again after so long. */
    private static final long RETRY_MILLIS = 60_000;

    private final DomainState state;
    private final TreeMap<WorkloadId, Workload> draining = new TreeMap<>();

    Drains(DomainState state) {
        this.state = state;
    }

    /** Something happened to a workload. */
    void settle(Workload workload) {
        boolean drains = workload.count(Member.Phase.BOUND) > 0 && reason(workload) != null;
        if (!drains) {
            draining.remove(workload.id());
            workload.drainMillis = 0;
            return;
        }
        draining.put(workload.id(), workload);
        if (workload.drainMillis == 0 && settled(workload)) {
            state.lookAgainAt(state.timeMillis());
        }
    }

    void forget(Workload workload) {
        draining.remove(workload.id());
    }

    /** A gang that is being bound is evicted when all of it is: whole, and not behind the binder's back. */
    private static boolean settled(Workload workload) {
        return workload.count(Member.Phase.HELD) == 0;
    }

    /** Why a workload is to go, a code of decisions; null where it is not. */
    public String reason(Workload workload) {
        if (workload.queueRef.kind() != QueueRef.Kind.CLUSTER_QUEUE) {
            return null;
        }
        ClusterQueue queue = state.queues.objects().clusterQueue(workload.queueRef.name());
        if (queue != null && queue.stop() == StopPolicy.HOLD_AND_DRAIN) {
            return Evict.CLUSTER_QUEUE_STOPPED;
        }
        Row.PolicyObject found = state.queues.localQueueOf(workload);
        boolean drains = found != null
                && found.policy() instanceof LocalQueue local
                && local.stop() == StopPolicy.HOLD_AND_DRAIN;
        return drains ? Evict.LOCAL_QUEUE_STOPPED : null;
    }

    /** Those whose eviction is to be decided now, by id; the others are asked for in time. */
    public List<Workload> due() {
        List<Workload> due = new ArrayList<>();
        for (Workload workload : draining.values()) {
            long again = workload.drainMillis == 0 ? 0 : workload.drainMillis + RETRY_MILLIS;
            if (again > state.timeMillis()) {
                state.lookAgainAt(again);
            } else if (settled(workload)) {
                due.add(workload);
            }
        }
        return due;
    }

    /** The eviction of a workload was decided. It gives its quota up, too. */
    public void decided(Workload workload) {
        workload.drainMillis = state.timeMillis();
        state.lookAgainAt(state.timeMillis() + RETRY_MILLIS);
        state.touch(workload);
    }
}
