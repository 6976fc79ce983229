package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** Priority, then arrival, whatever the queue. */
final class PlainLine implements Line {
    private final PriorityQueue<Lane> lanes = new PriorityQueue<>();
    private final List<Lane> later = new ArrayList<>();
    private Lane last;

    PlainLine(Collection<Lane> inOrder) {
        lanes.addAll(inOrder);
    }

    @Override
    public Workload next() {
        if (last != null && last.advance()) {
            lanes.add(last);
        }
        last = lanes.poll();
        return last == null ? null : last.next();
    }

    @Override
    public Iterator<Workload> leaveLane() {
        Lane left = last;
        last = null;
        return left.rest();
    }

    @Override
    public void defer() {
        later.add(last);
        last = null;
    }

    @Override
    public void again() {
        lanes.addAll(later);
        later.clear();
    }
}
