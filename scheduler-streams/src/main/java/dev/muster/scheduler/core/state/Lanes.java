package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.state.Workload.QueueKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What waits, in lanes: workloads of one lane want the same room, so many pods with one requirement in the same cluster, from one
 * queue. When there is none for one of them, there is none for those behind it, and a round need not look at each.
 */
final class Lanes {
    /** Only looked up, and walked where the order says nothing. */
    private final Map<Wish, TreeMap<QueueKey, Workload>> lanes = new LinkedHashMap<>();

    /** What workloads of one lane want; those whose pods differ share a lane of which nothing follows. */
    record Wish(String queue, String cluster, int missing, InternedRequirement requirement) {}

    void add(QueueKey place, Workload workload) {
        workload.lane = wishOf(workload);
        lanes.computeIfAbsent(workload.lane, same -> new TreeMap<>()).put(place, workload);
    }

    /** Takes a workload out of its lane: what it wants may have changed since. */
    void remove(QueueKey place, Workload workload) {
        TreeMap<QueueKey, Workload> lane = lanes.get(workload.lane);
        lane.remove(place);
        if (lane.isEmpty()) {
            lanes.remove(workload.lane);
        }
        workload.lane = null;
    }

    private static Wish wishOf(Workload workload) {
        InternedRequirement uniform = workload.uniformWaiting();
        int missing = uniform == null ? 0 : workload.minMember() - workload.ready();
        return new Wish(workload.queueRef.key(), workload.cluster(), missing, uniform);
    }

    /** Whether a workload stands in the lane of what it wants; for the laws. */
    boolean holds(Workload workload) {
        Wish wish = wishOf(workload);
        return wish.equals(workload.lane) && lanes.get(wish).get(workload.place) == workload;
    }

    /** The workloads of each lane, in the order a round looks at them. */
    List<Collection<Workload>> inOrder() {
        List<Collection<Workload>> each = new ArrayList<>(lanes.size());
        lanes.values().forEach(lane -> each.add(lane.values()));
        return each;
    }
}
