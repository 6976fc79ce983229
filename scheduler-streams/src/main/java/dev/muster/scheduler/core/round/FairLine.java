package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.round.Standings.Standing;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Queues that share come in the order of where they stand, worked out anew after each workload that was looked at.
 *
 * <p>Plain meaning: each queue nominates who is in front of it, each cohort the nominee of whoever stands best below it, up
 * to the root (Kueue, fair sharing: a tournament in the tree). What is kept is the order below each node, so that a workload
 * that starts, which changes nothing but its queue and what that is in, costs a walk up the tree and not a look at all queues.
 * Between trees, and queues in none, those come first that need not borrow, then priority and arrival decide.
 */
final class FairLine implements Line {
    private static final Comparator<Side> BY_STANDING =
            Comparator.comparing(Side::standing).thenComparing(side -> side.nominee.place());

    private static final Comparator<Side> BY_PLACE =
            Comparator.comparing((Side side) -> side.borrows).thenComparing(side -> side.nominee.place());

    private final Standings standings;
    private final ToLongFunction<Workload> used;
    private final Map<String, Entrant> entrants = new LinkedHashMap<>();
    private final Map<Id, Side> ofKueue = new HashMap<>();
    private final Map<Id, Side> ofVolcano = new HashMap<>();
    /** Roots and queues that are in no tree. */
    private final TreeSet<Side> top = new TreeSet<>(BY_PLACE);

    private final List<Lane> later = new ArrayList<>();
    private Entrant last;
    private Group lastGroup;
    private Lane lastLane;
    private Workload lastOut;

    /** A node of a tree, or a queue in none. */
    private static final class Side {
        /** Null of a queue in no tree. */
        private final Id id;

        private final Side above;
        private final TreeSet<Side> below = new TreeSet<>(BY_STANDING);
        private Workload nominee;
        private Standing standing = Standing.NONE;
        private boolean borrows;

        private Side(Id id, Side above) {
            this.id = id;
            this.above = above;
        }

        private Standing standing() {
            return standing;
        }
    }

    /** The lanes of one LocalQueue, where those of a queue have an order; else all of a queue. */
    private static final class Group {
        private static final Comparator<Group> BY_USE =
                Comparator.comparingLong((Group group) -> group.used).thenComparing(group -> group.lanes.peek());

        private final PriorityQueue<Lane> lanes = new PriorityQueue<>();
        private long used;
    }

    /** A queue, with who waits in it. */
    private static final class Entrant {
        private final Side side;
        private final boolean byUsage;
        private final Map<String, Group> groups = new HashMap<>();
        private final TreeSet<Group> inOrder = new TreeSet<>(Group.BY_USE);

        private Entrant(Side side, boolean byUsage) {
            this.side = side;
            this.byUsage = byUsage;
        }

        private Group groupOf(Workload workload) {
            return groups.computeIfAbsent(byUsage ? Lane.localQueueOf(workload) : "", name -> new Group());
        }
    }

    /** @param used what the LocalQueue of a workload used lately */
    FairLine(Collection<Lane> lanes, Standings standings, ToLongFunction<Workload> used) {
        this.standings = standings;
        this.used = used;
        for (Lane lane : lanes) {
            add(lane);
        }
        entrants.values().forEach(this::nominate);
    }

    private void add(Lane lane) {
        Workload workload = lane.next();
        Entrant entrant = entrants.computeIfAbsent(
                workload.queueRef().key(), key -> new Entrant(sideOf(workload), standings.byUsage(workload)));
        Group group = entrant.groupOf(workload);
        if (!group.lanes.isEmpty()) {
            entrant.inOrder.remove(group);
        }
        group.lanes.add(lane);
        group.used = entrant.byUsage ? used.applyAsLong(workload) : 0;
        entrant.inOrder.add(group);
    }

    private Side sideOf(Workload workload) {
        Map<Id, Side> known = workload.queueRef().ofKueue() ? ofKueue : ofVolcano;
        Side side = null;
        for (Id id : standings.path(workload.queueRef()).reversed()) {
            Side above = side;
            side = known.computeIfAbsent(id, key -> new Side(id, above));
        }
        return side == null ? new Side(null, null) : side;
    }

    /** Who is in front of a queue may be another, and where the queue stands: tells everybody above. */
    private void nominate(Entrant entrant) {
        Group first = entrant.inOrder.isEmpty() ? null : entrant.inOrder.first();
        Workload nominee = first == null ? null : first.lanes.peek().next();
        Side side = entrant.side;
        while (true) {
            TreeSet<Side> order = side.above == null ? top : side.above.below;
            if (side.nominee != null) {
                order.remove(side);
            }
            side.nominee = nominee;
            if (nominee != null) {
                side.standing = side.above == null ? Standing.NONE : standings.of(side.id, nominee);
                side.borrows = side.above == null && standings.borrows(nominee);
                order.add(side);
            }
            if (side.above == null) {
                return;
            }
            nominee = order.isEmpty() ? null : order.first().nominee;
            side = side.above;
        }
    }

    @Override
    public Workload next() {
        if (lastLane != null && lastLane.advance()) {
            lastGroup.lanes.add(lastLane);
        }
        if (last != null) {
            putBack();
            nominate(last);
        }
        lastLane = null;
        last = null;
        if (top.isEmpty()) {
            return null;
        }
        last = entrants.get(top.first().nominee.queueRef().key());
        lastGroup = last.inOrder.pollFirst();
        lastLane = lastGroup.lanes.poll();
        lastOut = lastLane.next();
        return lastOut;
    }

    /** What the last LocalQueue used may be more by now. */
    private void putBack() {
        if (!lastGroup.lanes.isEmpty()) {
            lastGroup.used = last.byUsage ? used.applyAsLong(lastOut) : 0;
            last.inOrder.add(lastGroup);
        }
    }

    @Override
    public Iterator<Workload> leaveLane() {
        Iterator<Workload> rest = lastLane.rest();
        lastLane = null;
        return rest;
    }

    @Override
    public void defer() {
        later.add(lastLane);
        lastLane = null;
    }

    /** Comes when {@link #next} gave nothing any more, so that nobody is out. */
    @Override
    public void again() {
        later.forEach(this::add);
        later.clear();
        entrants.values().forEach(this::nominate);
    }
}
