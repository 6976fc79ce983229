package dev.muster.standalone.demo;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PodEvent;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All that the demo knows, told by the topics alone, the {@link Rehearsal} apart. One thread writes, any may take a {@link Snapshot}. */
final class Scoreboard {
    private static final int RATE_WINDOW_SECONDS = 5;

    private final PodLedger ledger = new PodLedger();
    private final LatencyMeter latencies = new LatencyMeter();
    private final Map<String, WorkloadStatus> workloads = new HashMap<>();
    private final Set<String> gangs = new HashSet<>();
    private final Set<String> placedWhole = new HashSet<>();
    private final Map<OutcomeStatus, Integer> outcomes = new EnumMap<>(OutcomeStatus.class);
    private final TreeMap<Long, Integer> placementsBySecond = new TreeMap<>();
    private int podsKnownToWait;
    private int placements;
    private int podsPlaced;
    private int revokes;
    private int deletions;
    private int evictions;
    private long lastChangeNanos = System.nanoTime();

    synchronized void apply(NodeEvent event) {
        ledger.apply(event);
        changed();
    }

    synchronized void apply(PodEvent event, long timeMillis) {
        if (event.getOrigin().getNamespace().equals(Rehearsal.NAMESPACE)) {
            return;
        }
        String uid = event.getOrigin().getUid();
        boolean unbound = event.getSpec() != null
                && event.getSpec().getOurs()
                && event.getSpec().getNode().isEmpty();
        if (unbound && !event.getSpec().getGated()) {
            latencies.published(uid, timeMillis);
        }
        if (ledger.apply(event, timeMillis)) {
            latencies.bound(uid, timeMillis);
        }
        if (event.getOrigin().getChange() == Change.DELETE) {
            latencies.forget(uid);
        }
        changed();
    }

    synchronized void apply(Decision decision, long readMillis) {
        switch (decision.getAction()) {
            case PlaceGang placement -> {
                if (placement.getNamespace().equals(Rehearsal.NAMESPACE)) {
                    return;
                }
                placements++;
                podsPlaced += placement.getNodes().stream()
                        .mapToInt(n -> n.getMembers().size())
                        .sum();
                placementsBySecond.merge(readMillis / 1000, 1, Integer::sum);
                latencies.decided(decision, placement, readMillis);
            }
            case Revoke revoke -> revokes++;
            case DeletePods deletion -> deletions++;
            case Evict eviction -> evictions++;
            default -> throw new IllegalStateException("unknown action in decision " + decision.getId());
        }
        changed();
    }

    synchronized void apply(Outcome outcome) {
        if (outcome.getWorkload().contains("/" + Rehearsal.NAMESPACE + "/")) {
            return;
        }
        outcomes.merge(outcome.getStatus(), 1, Integer::sum);
        changed();
    }

    /** A workload's status; null when the workload was forgotten. */
    synchronized void apply(String key, WorkloadStatus status) {
        if (status != null && status.getNamespace().equals(Rehearsal.NAMESPACE)) {
            return;
        }
        WorkloadStatus before = status == null ? workloads.remove(key) : workloads.put(key, status);
        podsKnownToWait -= podsKnownToWait(before);
        podsKnownToWait += podsKnownToWait(status);
        if (status != null) {
            if (waitsForRoom(status)) {
                latencies.waits(status.getWorkload());
            }
            if (gang(status)) {
                gangs.add(key);
                if (status.getBound() >= status.getMinMember()) {
                    placedWhole.add(key);
                }
            }
        }
        changed();
    }

    synchronized Snapshot snapshot(long nowMillis) {
        long second = nowMillis / 1000;
        int recent = placementsBySecond.subMap(second - RATE_WINDOW_SECONDS, second).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        List<WorkloadStatus> waiting = workloads.values().stream()
                .filter(Scoreboard::waits)
                .sorted(Comparator.comparingLong(WorkloadStatus::getArrivedMillis)
                        .thenComparing(WorkloadStatus::getWorkload))
                .toList();
        return new Snapshot(
                ledger.nodes(),
                ledger.counts(),
                ledger.gpuMilliUsed(),
                ledger.gpuMilliPeak(),
                ledger.gpuMilliAverage(),
                queues(),
                waiting,
                gangCounts(),
                new Snapshot.Decisions(placements, podsPlaced, revokes, deletions, evictions),
                (double) recent / RATE_WINDOW_SECONDS,
                placementsBySecond.values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0),
                new EnumMap<>(outcomes),
                latencies.decision(),
                latencies.bound(),
                latencies.waiting(),
                ledger.violationCount(),
                ledger.violations());
    }

    /** Nodes that were seen. */
    synchronized int nodeCount() {
        return ledger.nodeCount();
    }

    /** Our pods that were ever seen. */
    synchronized int knownPods() {
        return ledger.counts().known();
    }

    /** Our pods that have no node and whose workload was not yet found to have to wait. */
    synchronized int undecidedPods() {
        return ledger.counts().unbound() - podsKnownToWait;
    }

    /**
     * Whether nothing runs, whatever has no node is known to wait, and nothing was heard for a while: a short one, or a
     * longer one where pods of a gang have yet to be created.
     */
    synchronized boolean settled(long quietMillis, long incompleteQuietMillis) {
        if (ledger.counts().holding() > 0 || undecidedPods() > 0) {
            return false;
        }
        if (workloads.values().stream().anyMatch(w -> w.getState() == WorkloadState.PLACED)) {
            return false;
        }
        boolean incomplete = workloads.values().stream().anyMatch(w -> w.getState() == WorkloadState.INCOMPLETE);
        return quietMillis() > (incomplete ? incompleteQuietMillis : quietMillis);
    }

    /** For how long nothing has been heard, in milliseconds. */
    synchronized long quietMillis() {
        return (System.nanoTime() - lastChangeNanos) / 1_000_000;
    }

    private Snapshot.Gangs gangCounts() {
        int running = 0;
        int waiting = 0;
        int half = 0;
        for (WorkloadStatus status : workloads.values()) {
            if (gang(status)) {
                running += runs(status) ? 1 : 0;
                waiting += waits(status) ? 1 : 0;
                half += waits(status) && status.getBound() > 0 && status.getBound() < status.getMinMember() ? 1 : 0;
            }
        }
        return new Snapshot.Gangs(gangs.size(), placedWhole.size(), running, waiting, half);
    }

    private List<Snapshot.QueueLine> queues() {
        TreeMap<String, Snapshot.QueueLine> queues = new TreeMap<>();
        for (WorkloadStatus status : workloads.values()) {
            Snapshot.QueueLine before =
                    queues.getOrDefault(status.getQueue(), new Snapshot.QueueLine(status.getQueue(), 0, 0, 0));
            queues.put(
                    status.getQueue(),
                    new Snapshot.QueueLine(
                            status.getQueue(),
                            before.gpuMilli() + status.getGpuMilli(),
                            before.running() + (runs(status) ? 1 : 0),
                            before.waiting() + (waits(status) ? 1 : 0)));
        }
        return List.copyOf(queues.values());
    }

    private static boolean gang(WorkloadStatus status) {
        return status.getMinMember() > 1;
    }

    private static boolean runs(WorkloadStatus status) {
        return status.getState() == WorkloadState.PLACED || status.getState() == WorkloadState.RUNNING;
    }

    private static boolean waits(WorkloadStatus status) {
        return status.getState() == WorkloadState.WAITING || status.getState() == WorkloadState.INCOMPLETE;
    }

    private static boolean waitsForRoom(WorkloadStatus status) {
        return status.getState() == WorkloadState.WAITING
                && !status.getReason().getCode().isEmpty();
    }

    private static int podsKnownToWait(WorkloadStatus status) {
        return status != null && waits(status) ? Math.max(0, status.getPods() - status.getBound()) : 0;
    }

    private void changed() {
        lastChangeNanos = System.nanoTime();
    }
}
