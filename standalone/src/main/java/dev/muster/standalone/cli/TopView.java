package dev.muster.standalone.cli;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What {@code muster top} shows, kept from topics alone. Rates and latencies are of a window of time that ends now; times
 * in it are those that scheduler and binder wrote, so the time to bind is off by what their clocks differ.
 */
final class TopView {
    private record Timed(long timeMillis, String id, String workload, boolean first) {}

    private record Took(long timeMillis, long millis) {}

    /** A cluster's nodes, GPUs in whole and in thousandths, and bound pods. */
    record ClusterUse(String cluster, int nodes, int ready, long gpus, long usedGpuMilli, int pods) {}

    /** Quantiles of a time, milliseconds. */
    record Times(int count, long p50Millis, long p99Millis) {
        static Optional<Times> of(List<Long> millis) {
            if (millis.isEmpty()) {
                return Optional.empty();
            }
            List<Long> sorted = millis.stream().sorted().toList();
            return Optional.of(new Times(sorted.size(), at(sorted, 50), at(sorted, 99)));
        }

        private static long at(List<Long> sorted, int percent) {
            return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
        }
    }

    /**
     * The state at one moment.
     *
     * @param windowSeconds length of the window
     * @param decisions decisions in the window
     * @param waiting workloads without a place; {@code incomplete} of them are not whole yet
     * @param running workloads that are placed or run
     * @param toPlacement arrival to the first placement, of workloads first placed in the window
     * @param toBound placement to all pods bound, of placements bound in the window
     * @param longestWaiting workloads without a place, longest first
     */
    record Moment(
            long timeMillis,
            int windowSeconds,
            int decisions,
            int waiting,
            int incomplete,
            int running,
            Optional<Times> toPlacement,
            Optional<Times> toBound,
            List<ClusterUse> clusters,
            List<WorkloadStatus> longestWaiting) {
        /** Decisions per second, in tenths. */
        long decisionsPerSecondTenths() {
            return decisions * 10L / windowSeconds;
        }
    }

    private final int windowSeconds;
    private final Deque<Timed> decisions = new ArrayDeque<>();
    private final Map<String, Long> placedMillis = new HashMap<>();
    private final Deque<Took> bound = new ArrayDeque<>();

    final Statuses statuses = new Statuses();
    final NodeTable nodes = new NodeTable();

    TopView(int windowSeconds) {
        this.windowSeconds = windowSeconds;
    }

    /** Takes a record of topic decisions. */
    void take(Decision decision) {
        if (decision == null) {
            return;
        }
        boolean places = decision.getAction() instanceof PlaceGang;
        decisions.add(new Timed(
                decision.getTimeMillis(),
                decision.getId(),
                decision.getWorkload(),
                places && decision.getAttempt() == 1));
        if (places) {
            placedMillis.put(decision.getId(), decision.getTimeMillis());
        }
    }

    /** Takes a record of topic outcomes. */
    void take(Outcome outcome) {
        if (outcome == null) {
            return;
        }
        Long placed = placedMillis.remove(outcome.getDecisionId());
        if (placed != null && outcome.getStatus() == OutcomeStatus.BOUND) {
            bound.add(new Took(outcome.getTimeMillis(), Math.max(0, outcome.getTimeMillis() - placed)));
        }
    }

    /** What is so now; forgets what lies before the window. */
    Moment at(long nowMillis) {
        long begin = nowMillis - windowSeconds * 1000L;
        while (!decisions.isEmpty() && decisions.peek().timeMillis() < begin) {
            decisions.remove();
        }
        bound.removeIf(took -> took.timeMillis() < begin);
        placedMillis.values().removeIf(placed -> placed < begin - 10 * windowSeconds * 1000L);
        List<WorkloadStatus> all = statuses.all();
        List<WorkloadStatus> waiting = all.stream()
                .filter(Statuses::waits)
                .sorted(Comparator.comparingLong(WorkloadStatus::getArrivedMillis)
                        .thenComparing(WorkloadStatus::getWorkload))
                .toList();
        return new Moment(
                nowMillis,
                windowSeconds,
                decisions.size(),
                waiting.size(),
                (int) waiting.stream()
                        .filter(w -> Statuses.state(w).equals("Incomplete"))
                        .count(),
                (int) all.stream().filter(Statuses::runs).count(),
                Times.of(waits(all)),
                Times.of(bound.stream().map(Took::millis).toList()),
                clusters(),
                waiting);
    }

    private List<Long> waits(List<WorkloadStatus> all) {
        Map<String, Long> arrived = new HashMap<>();
        all.forEach(w -> arrived.put(w.getWorkload(), w.getArrivedMillis()));
        List<Long> waits = new ArrayList<>();
        Set<String> counted = new HashSet<>();
        for (Timed decision : decisions) {
            Long since = arrived.get(decision.workload());
            if (decision.first() && since != null && counted.add(decision.workload())) {
                waits.add(Math.max(0, decision.timeMillis() - since));
            }
        }
        return waits;
    }

    private List<ClusterUse> clusters() {
        TreeMap<String, ClusterUse> clusters = new TreeMap<>();
        for (NodeTable.Node node : nodes.nodes()) {
            ClusterUse one = new ClusterUse(
                    node.cluster(), 1, node.ready() ? 1 : 0, node.gpus(), node.usedGpuMilli(), node.pods());
            clusters.merge(
                    node.cluster(),
                    one,
                    (a, b) -> new ClusterUse(
                            a.cluster(),
                            a.nodes() + b.nodes(),
                            a.ready() + b.ready(),
                            a.gpus() + b.gpus(),
                            a.usedGpuMilli() + b.usedGpuMilli(),
                            a.pods() + b.pods()));
        }
        return List.copyOf(clusters.values());
    }
}
