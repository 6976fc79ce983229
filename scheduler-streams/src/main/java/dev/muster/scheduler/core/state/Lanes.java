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
 * queue, by one LocalQueue. When there is none for one of them, there is none for those behind it, and a round need not look at each.
 */
public final class Lanes {
    /** Only looked up, and walked where the order says nothing. */
    private final Map<Wish, Lane> lanes = new LinkedHashMap<>();

    /** What workloads of one lane want; those whose pods differ share a lane of which nothing follows. */
    record Wish(String queue, String localQueue, String cluster, int missing, InternedRequirement requirement) {}

    /** Those that want the same. It stays the same one until the last of them has left. */
    public static final class Lane {
        private final Wish wish;
        private final TreeMap<QueueKey, Workload> workloads = new TreeMap<>();

        private Lane(Wish wish) {
            this.wish = wish;
        }
    }

    void add(QueueKey place, Workload workload) {
        workload.lane = lanes.computeIfAbsent(wishOf(workload), Lane::new);
        workload.lane.workloads.put(place, workload);
    }

    /** Takes a workload out of its lane: what it wants may have changed since. */
    void remove(QueueKey place, Workload workload) {
        Lane lane = workload.lane;
        lane.workloads.remove(place);
        if (lane.workloads.isEmpty()) {
            lanes.remove(lane.wish);
        }
        workload.lane = null;
    }

    int count() {
        return lanes.size();
    }

    private static Wish wishOf(Workload workload) {
        InternedRequirement uniform = workload.uniformWaiting();
        int missing = uniform == null ? 0 : workload.minMember() - workload.ready();
        String localQueue = workload.localQueue.isEmpty() ? "" : workload.namespace() + "/" + workload.localQueue;
        return new Wish(workload.queueRef.key(), localQueue, workload.cluster(), missing, uniform);
    }

    /** Whether a workload stands in the lane of what it wants; for the laws. */
    boolean holds(Workload workload) {
        Lane lane = lanes.get(wishOf(workload));
        return lane != null && lane == workload.lane && lane.workloads.get(workload.place) == workload;
    }

    /** The workloads of each lane, in the order a round looks at them. */
    List<Collection<Workload>> inOrder() {
        List<Collection<Workload>> each = new ArrayList<>(lanes.size());
        lanes.values().forEach(lane -> each.add(lane.workloads.values()));
        return each;
    }
}
