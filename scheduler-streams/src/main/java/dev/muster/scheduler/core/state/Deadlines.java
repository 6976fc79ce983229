package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.List;
import java.util.TreeMap;

/** What is due when: holds that nobody answered for, workloads that wait before their next try, signals that have had their time. */
final class Deadlines {
    private final TreeMap<HoldDeadline, Hold> holds = new TreeMap<>();
    private final TreeMap<WakeUp, Workload> wakeUps = new TreeMap<>();

    private final TreeMap<HealthDue, NodeState> health = new TreeMap<>();

    private record HealthDue(long millis, NodeId node) implements Comparable<HealthDue> {
        @Override
        public int compareTo(HealthDue other) {
            int byTime = Long.compare(millis, other.millis);
            if (byTime != 0) {
                return byTime;
            }
            int byCluster = node.cluster().compareTo(other.node.cluster());
            return byCluster != 0 ? byCluster : node.name().compareTo(other.node.name());
        }
    }

    record HoldDeadline(long millis, DecisionId decision) implements Comparable<HoldDeadline> {
        @Override
        public int compareTo(HoldDeadline other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : decision.compareTo(other.decision);
        }
    }

    private record WakeUp(long millis, WorkloadId workload) implements Comparable<WakeUp> {
        @Override
        public int compareTo(WakeUp other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : workload.compareTo(other.workload);
        }
    }

    /** Watches a hold for as long as some member's fate is unknown. */
    void watch(Hold hold) {
        forget(hold);
        if (hold.awaitsOutcome()) {
            hold.watched = new HoldDeadline(hold.deadlineMillis, hold.decision);
            holds.put(hold.watched, hold);
        }
    }

    void forget(Hold hold) {
        if (hold.watched != null) {
            holds.remove(hold.watched);
            hold.watched = null;
        }
    }

    void wake(Workload workload) {
        wakeUps.put(new WakeUp(workload.backoffUntilMillis, workload.id()), workload);
    }

    void forget(Workload workload) {
        wakeUps.remove(new WakeUp(workload.backoffUntilMillis, workload.id()));
    }

    /** Earliest time something is due, epoch milliseconds; Long.MAX_VALUE when nothing is. */
    long nextMillis() {
        long hold = holds.isEmpty() ? Long.MAX_VALUE : holds.firstKey().millis();
        long wakeUp = wakeUps.isEmpty() ? Long.MAX_VALUE : wakeUps.firstKey().millis();
        long signal = health.isEmpty() ? Long.MAX_VALUE : health.firstKey().millis();
        return Math.min(Math.min(hold, wakeUp), signal);
    }

    /** Watches a node for as long as what its health signals say changes by itself. */
    void watch(NodeState node) {
        health.remove(new HealthDue(node.healthDueMillis, node.id()));
        node.healthDueMillis = node.nextHealthMillis();
        if (node.healthDueMillis < Long.MAX_VALUE) {
            health.put(new HealthDue(node.healthDueMillis, node.id()), node);
        }
    }

    /** Nodes whose health signals are due at that time, longest due first. */
    List<NodeState> nodesDue(long timeMillis) {
        return List.copyOf(health.headMap(new HealthDue(timeMillis + 1, new NodeId("", "")))
                .values());
    }

    /** Holds whose deadline is not after that time, oldest first. */
    List<Hold> holdsDue(long timeMillis) {
        return List.copyOf(holds.headMap(new HoldDeadline(timeMillis + 1, new DecisionId(-1, -1)))
                .values());
    }

    /** Workloads whose wait is over at that time, oldest first. */
    List<Workload> workloadsDue(long timeMillis) {
        return List.copyOf(
                wakeUps.headMap(new WakeUp(timeMillis + 1, new WorkloadId(""))).values());
    }
}
