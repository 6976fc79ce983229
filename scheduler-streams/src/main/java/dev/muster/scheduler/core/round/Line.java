package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * What waits, one after the other in the order of a round. It comes in lanes of workloads that want the same of one queue:
 * once one of them found no room, those behind it in its lane can be left out, since within a round room only shrinks; and
 * where one of them lets others go first, so do those behind it.
 */
final class Line {
    private final PriorityQueue<Lane> lanes = new PriorityQueue<>();
    private final List<Lane> later = new ArrayList<>();
    private Lane last;

    Line(Collection<? extends Collection<Workload>> inOrder) {
        for (Collection<Workload> workloads : inOrder) {
            Lane lane = new Lane(workloads.iterator());
            if (lane.advance()) {
                lanes.add(lane);
            }
        }
    }

    /** A line of workloads that are in order already. */
    static Line of(List<Workload> inOrder) {
        Map<String, List<Workload>> byQueue = new LinkedHashMap<>();
        for (Workload workload : inOrder) {
            byQueue.computeIfAbsent(workload.queueRef().key(), key -> new ArrayList<>())
                    .add(workload);
        }
        return new Line(byQueue.values());
    }

    private static final class Lane implements Comparable<Lane> {
        private final Iterator<Workload> rest;
        private Workload next;

        private Lane(Iterator<Workload> rest) {
            this.rest = rest;
        }

        private boolean advance() {
            next = rest.hasNext() ? rest.next() : null;
            return next != null;
        }

        @Override
        public int compareTo(Lane other) {
            return next.place().compareTo(other.next.place());
        }
    }

    /** The next workload; null when there is none. */
    Workload next() {
        if (last != null && last.advance()) {
            lanes.add(last);
        }
        last = lanes.poll();
        return last == null ? null : last.next;
    }

    /** Leaves out those behind the last one in its lane, and returns them. */
    Iterator<Workload> leaveLane() {
        Lane left = last;
        last = null;
        return left.rest;
    }

    /** Lets others go first: the last one, with those behind it in its lane, comes again when all others have been there. */
    void defer() {
        later.add(last);
        last = null;
    }

    /** Goes on with those that let others go first. */
    void again() {
        lanes.addAll(later);
        later.clear();
    }
}
