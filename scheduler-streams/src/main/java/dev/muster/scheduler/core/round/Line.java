package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What waits, one after the other in the order of a round. It comes in lanes of workloads that want the same: once one of
 * them found no room, those behind it in its lane can be left out, since within a round room only shrinks.
 */
final class Line {
    private final PriorityQueue<Lane> lanes = new PriorityQueue<>();
    private Lane last;

    Line(List<Collection<Workload>> inOrder) {
        for (Collection<Workload> workloads : inOrder) {
            Lane lane = new Lane(workloads.iterator());
            if (lane.advance()) {
                lanes.add(lane);
            }
        }
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
}
