package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workloads that want the same of one queue, from one LocalQueue; in order of the one in front. */
final class Lane implements Comparable<Lane> {
    private final Iterator<Workload> rest;
    private Workload next;

    private Lane(Iterator<Workload> rest) {
        this.rest = rest;
    }

    /** Lanes of those that are there. */
    static List<Lane> of(Collection<? extends Collection<Workload>> inOrder) {
        List<Lane> lanes = new ArrayList<>(inOrder.size());
        for (Collection<Workload> workloads : inOrder) {
            Lane lane = new Lane(workloads.iterator());
            if (lane.advance()) {
                lanes.add(lane);
            }
        }
        return lanes;
    }

    /** Lanes of workloads that are in order, whatever they want. */
    static List<Lane> ofAny(List<Workload> inOrder) {
        Map<String, List<Workload>> byQueue = new LinkedHashMap<>();
        for (Workload workload : inOrder) {
            String queue = workload.queueRef().key() + "\n" + localQueueOf(workload);
            byQueue.computeIfAbsent(queue, key -> new ArrayList<>()).add(workload);
        }
        return of(byQueue.values());
    }

    /** The LocalQueue that a workload came by, with its namespace; empty where by none. */
    static String localQueueOf(Workload workload) {
        return workload.localQueue().isEmpty() ? "" : workload.namespace() + "/" + workload.localQueue();
    }

    /** The one in front. */
    Workload next() {
        return next;
    }

    /** Those behind it. */
    Iterator<Workload> rest() {
        return rest;
    }

    /** Goes on to the next one; false where there is none. */
    boolean advance() {
        next = rest.hasNext() ? rest.next() : null;
        return next != null;
    }

    @Override
    public int compareTo(Lane other) {
        return next.place().compareTo(other.next.place());
    }
}
