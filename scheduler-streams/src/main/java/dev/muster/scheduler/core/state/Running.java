package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.quota.FlavorResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who has pods on nodes that are neither leaving nor ended, by cluster, priority and queue. It says the same as a walk over
 * all pods; what changed since it was asked last is worked out when it is asked again.
 */
public final class Running {
    private static final WorkloadId NO_ID = new WorkloadId("");

    private final DomainState state;
    private final Map<String, InCluster> clusters = new HashMap<>();
    private final List<Workload> stale = new ArrayList<>();

    Running(DomainState state) {
        this.state = state;
    }

    private static final class InCluster {
        private final TreeMap<WorkloadId, Workload> all = new TreeMap<>();
        private final TreeMap<Integer, TreeMap<WorkloadId, Workload>> byPriority = new TreeMap<>();
        /** Only looked up. */
        private final Map<QueueRef, OfQueue> byQueue = new HashMap<>();
    }

    /** Those of one queue that run in a cluster; there is at least one. */
    public static final class OfQueue {
        private final TreeMap<Rank, Workload> ranked = new TreeMap<>();
        private final Map<FlavorResource, Integer> users = new HashMap<>();

        private void add(Entry entry, Workload workload) {
            ranked.put(Rank.of(entry, workload), workload);
            entry.columns().forEach(column -> users.merge(column, 1, Integer::sum));
        }

        private boolean remove(Entry entry, Workload workload) {
            if (ranked.remove(Rank.of(entry, workload), workload)) {
                entry.columns()
                        .forEach(column ->
                                users.merge(column, -1, (one, other) -> one + other == 0 ? null : one + other));
            }
            return ranked.isEmpty();
        }

        /** Lowest priority first, those of equal priority as they arrived. */
        public Collection<Workload> workloads() {
            return Collections.unmodifiableCollection(ranked.values());
        }

        /** The lowest priority among them. */
        public int lowestPriority() {
            return ranked.firstKey().priority();
        }

        /** How many of them are charged for any of these. */
        public int users(List<FlavorResource> columns) {
            if (columns.size() == 1) {
                return users.getOrDefault(columns.getFirst(), 0);
            }
            int count = 0;
            for (Workload workload : ranked.values()) {
                count += columns.stream().anyMatch(workload.running.columns()::contains) ? 1 : 0;
            }
            return count;
        }
    }

    /** A place among those of one queue: lowest priority first, those of equal priority as they arrived. */
    private record Rank(int priority, long arrived, WorkloadId id) implements Comparable<Rank> {
        private static Rank of(Entry entry, Workload workload) {
            return new Rank(entry.priority(), entry.arrived(), workload.id());
        }

        @Override
        public int compareTo(Rank other) {
            int byPriority = Integer.compare(priority, other.priority);
            int byArrival = byPriority != 0 ? byPriority : Long.compare(arrived, other.arrived);
            return byArrival != 0 ? byArrival : id.compareTo(other.id);
        }
    }

    /**
     * Where a workload is found.
     *
     * @param clusters those on whose nodes it has pods
     * @param arrived the journal entry that made it known
     * @param room what its pods have there
     * @param columns what it is charged for
     */
    record Entry(
            List<String> clusters,
            QueueRef queue,
            int priority,
            long arrived,
            RoughRoom room,
            List<FlavorResource> columns) {}

    /** Something of a workload changed. */
    void changed(Workload workload) {
        if (!workload.runningStale) {
            workload.runningStale = true;
            stale.add(workload);
        }
    }

    private InCluster in(ClusterState cluster) {
        for (Workload workload : stale) {
            workload.runningStale = false;
            bringUpToDate(workload);
        }
        stale.clear();
        return clusters.get(cluster.name());
    }

    private void bringUpToDate(Workload workload) {
        Entry now = state.workloads.get(workload.id()) == workload ? entryOf(workload) : null;
        Entry before = workload.running;
        if (before == null ? now == null : before.equals(now)) {
            return;
        }
        if (before != null) {
            before.clusters().forEach(cluster -> remove(clusters.get(cluster), before, workload));
        }
        workload.running = now;
        if (now != null) {
            now.clusters()
                    .forEach(cluster -> add(clusters.computeIfAbsent(cluster, name -> new InCluster()), workload));
        }
    }

    private static void add(InCluster there, Workload workload) {
        Entry entry = workload.running;
        there.all.put(workload.id(), workload);
        there.byPriority
                .computeIfAbsent(entry.priority(), same -> new TreeMap<>())
                .put(workload.id(), workload);
        there.byQueue.computeIfAbsent(entry.queue(), same -> new OfQueue()).add(entry, workload);
    }

    private static void remove(InCluster there, Entry entry, Workload workload) {
        there.all.remove(workload.id(), workload);
        there.byPriority.computeIfPresent(entry.priority(), (priority, same) -> {
            same.remove(workload.id(), workload);
            return same.isEmpty() ? null : same;
        });
        there.byQueue.computeIfPresent(entry.queue(), (queue, same) -> same.remove(entry, workload) ? null : same);
    }

    /** What is true of a workload; null where none of its pods has a node. */
    private static Entry entryOf(Workload workload) {
        if (workload.count(Member.Phase.BOUND) == 0) {
            return null;
        }
        RoughRoom room = RoughRoom.NONE;
        TreeSet<String> where = new TreeSet<>();
        for (Member member : workload.boundMembers()) {
            room = room.plus(RoughRoom.of(member.requirement()));
            where.add(member.pod.node.id().cluster());
        }
        return where.isEmpty()
                ? null
                : new Entry(
                        List.copyOf(where),
                        workload.queueRef,
                        workload.priority,
                        workload.arrivedSequence,
                        room,
                        workload.chargedColumns());
    }

    /** All of a cluster, by id. */
    public Collection<Workload> all(ClusterState cluster) {
        InCluster there = in(cluster);
        return there == null ? List.of() : Collections.unmodifiableCollection(there.all.values());
    }

    /** Those of a cluster with a lower priority, by id. */
    public List<Workload> below(ClusterState cluster, int priority) {
        InCluster there = in(cluster);
        if (there == null) {
            return List.of();
        }
        SortedMap<Integer, TreeMap<WorkloadId, Workload>> lower = there.byPriority.headMap(priority);
        TreeMap<WorkloadId, Workload> below = new TreeMap<>();
        lower.values().forEach(below::putAll);
        return List.copyOf(below.values());
    }

    /** Those of a cluster that are of one queue: lowest priority first, those of equal priority as they arrived. */
    public Collection<Workload> of(ClusterState cluster, QueueRef queue) {
        InCluster there = in(cluster);
        OfQueue same = there == null ? null : there.byQueue.get(queue);
        return same == null ? List.of() : same.workloads();
    }

    /** Whether one of those has a lower priority; or, with an arrival that is not below 0, the same and arrived no earlier. */
    public boolean anyOf(ClusterState cluster, QueueRef queue, int priority, long arrived) {
        InCluster there = in(cluster);
        OfQueue same = there == null ? null : there.byQueue.get(queue);
        if (same == null) {
            return false;
        }
        if (same.lowestPriority() < priority) {
            return true;
        }
        return arrived >= 0
                && same.lowestPriority() == priority
                && same.ranked
                                .lowerKey(new Rank(priority, Long.MAX_VALUE, NO_ID))
                                .arrived()
                        >= arrived;
    }

    /** The same with what is known of them together; null where nobody of the queue runs there. */
    public OfQueue ofQueue(ClusterState cluster, QueueRef queue) {
        InCluster there = in(cluster);
        return there == null ? null : there.byQueue.get(queue);
    }

    /** The lowest priority of those of a cluster; Integer.MAX_VALUE where nobody runs. */
    public int lowestPriority(ClusterState cluster) {
        InCluster there = in(cluster);
        return there == null || there.byPriority.isEmpty() ? Integer.MAX_VALUE : there.byPriority.firstKey();
    }

    /** What is said otherwise than by a walk over all pods; empty where nothing is. For the laws. */
    String difference() {
        for (ClusterState cluster : state.clusters()) {
            TreeMap<WorkloadId, Workload> walked = new TreeMap<>();
            for (NodeState node : cluster.nodes()) {
                for (PodState pod : node.pods.values()) {
                    if (pod.member != null && pod.member.bound()) {
                        Workload workload = pod.member.podSet().workload();
                        walked.put(workload.id(), workload);
                    }
                }
            }
            InCluster there = in(cluster);
            TreeMap<WorkloadId, Workload> known = there == null ? new TreeMap<>() : there.all;
            if (!known.equals(walked)) {
                return "in cluster " + cluster.name() + " run " + walked.keySet() + ", known are " + known.keySet();
            }
            for (Workload workload : walked.values()) {
                if (!entryOf(workload).equals(workload.running)) {
                    return workload.id() + " runs as " + entryOf(workload) + ", known is " + workload.running;
                }
            }
        }
        return "";
    }
}
