package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.PodId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Quota that a workload keeps for pods that are not there.
 *
 * <p>A batch Job of a queue keeps its quota while it runs, as it does in Kueue, so that nobody takes it before the successor of
 * a pod that ended is there. It is entitled to as many pods as it had at once, and to fewer by each that was evicted for others:
 * else what it gave up would never be free. Those that it grows by later it keeps again.
 */
final class Entitlement {
    private Entitlement() {}

    /**
     * Members that a workload keeps quota for, each with how many like it: those that room is kept for, while others leave; and
     * so many as a batch Job is short of what it is entitled to and wants to run at once.
     */
    static Map<Member, Integer> toKeep(Workload workload) {
        boolean ofKueue = workload.queueRef.ofKueue();
        if (ofKueue && workload.flavors.isEmpty()) {
            return Collections.emptyMap();
        }
        Map<Member, Integer> kept = new LinkedHashMap<>();
        if (workload.kept != null && workload.kept.kept.slots()) {
            SlotHolds.quotaFor(workload, kept);
        } else if (workload.kept != null && !workload.kept.kept.lifted) {
            workload.kept.members.forEach(held -> kept.put(held.member, 1));
        }
        int entitled = ofKueue ? Math.min(workload.entitled, wanted(workload)) : 0;
        int lacking = entitled - workload.charged - held(kept);
        if (lacking > 0) {
            kept.merge(workload.podSets.firstEntry().getValue().members().getFirst(), lacking, Integer::sum);
        }
        return kept;
    }

    private static int held(Map<Member, Integer> kept) {
        return kept.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Pods that a batch Job wants to run at once; none where it does not say, or is suspended or gone. */
    private static int wanted(Workload workload) {
        return workload.group == null || workload.group.gone()
                ? 0
                : Math.max(0, workload.group.facts().wanted());
    }

    /** Brings what a workload is entitled to in step with what it has, at the end of an entry that touched it. */
    static void settle(Workload workload, DomainState state) {
        int entitled = 0;
        if (wanted(workload) > 0 && runs(workload) && workload.drainMillis == 0) {
            int has = workload.count(Member.Phase.BOUND) + workload.count(Member.Phase.HELD);
            entitled = Math.max(workload.entitled, has - toLeave(workload, state));
        }
        workload.entitled = entitled;
    }

    private static boolean runs(Workload workload) {
        return workload.count(Member.Phase.BOUND)
                        + workload.count(Member.Phase.HELD)
                        + workload.count(Member.Phase.SUCCEEDED)
                        + workload.count(Member.Phase.FAILED)
                > 0;
    }

    /** Pods that have a node and whose eviction has been decided. */
    private static int toLeave(Workload workload, DomainState state) {
        if (state.toLeave.isEmpty()) {
            return 0;
        }
        int leaving = 0;
        for (Member member : workload.boundMembers()) {
            PodId pod = member.pod.id();
            leaving += state.toLeave.containsKey(pod) ? 1 : 0;
        }
        return leaving;
    }
}
