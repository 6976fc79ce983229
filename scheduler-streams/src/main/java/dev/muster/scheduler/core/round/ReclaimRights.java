package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.VolcanoShares;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Whom a workload of a Volcano Queue may have evicted because its queue deserves what others use beyond what they deserve
 * (Volcano, action reclaim with the plugin capacity), whatever their priority.
 *
 * <p>Its queue, and what that is in below the queue that both are in, must stay within what it deserves, of everything that it
 * asks for. The other's side must be beyond that, of something that it asks for, on every level; be reclaimable; and keep its
 * guarantee. A gang that goes whole may take its queue below what it deserves, as the last task that Volcano reclaims may.
 */
final class ReclaimRights implements Rights {
    /** Its own queue would use more than it deserves. */
    static final String DESERVED = "QueueDeserved";

    /** The other queue is not reclaimable. */
    static final String NOT_RECLAIMABLE = "QueueNotReclaimable";

    /** The other queue would have less than its guarantee. */
    static final String GUARANTEE = "QueueGuarantee";

    private final QuotaGate gate;
    private final QuotaTree tree;
    private final VolcanoShares shares;
    private final Workload workload;
    private final Id queue;
    private final List<Id> path;
    private final SortedMap<FlavorResource, Long> asked;

    private ReclaimRights(QuotaGate gate, QuotaTree tree, VolcanoShares shares, Workload workload) {
        this.gate = gate;
        this.tree = tree;
        this.shares = shares;
        this.workload = workload;
        this.queue = Id.queue(workload.queueRef().name());
        this.path = tree.path(queue);
        this.asked = QuotaDemand.amounts(workload);
    }

    /** Those of a workload; null where it has none: nobody says what is deserved of what it asks for. */
    static ReclaimRights of(Workload workload, DomainState state, QuotaGate gate) {
        VolcanoShares shares = state.queues().volcanoShares();
        if (state.policy().fairSharing().volcano() == VolcanoShare.NONE || !shares.anyDeserved()) {
            return null;
        }
        QuotaTree tree = state.queues().treeOf(workload.queueRef());
        if (tree == null || tree.disabled(Id.queue(workload.queueRef().name()))) {
            return null;
        }
        ReclaimRights rights = new ReclaimRights(gate, tree, shares, workload);
        boolean concerned = rights.asked.keySet().stream().anyMatch(column -> shares.concerns(column.resource()));
        return concerned ? rights : null;
    }

    /** Whether the queue may use so much more, and what it is in, so many levels in all. */
    private boolean deserves(int levels) {
        return asked.keySet().stream()
                .filter(column -> shares.concerns(column.resource()))
                .allMatch(column -> path.subList(1, 1 + levels).stream()
                        .allMatch(node -> tree.usedInAll(node, column) + asked.get(column)
                                <= shares.deserved(node, column.resource())));
    }

    @Override
    public String refusal(Workload victim) {
        boolean other = victim.queueRef().kind() == QueueRef.Kind.NAMED
                && !victim.queueRef().equals(workload.queueRef())
                && tree.knows(victim.queueRef().name());
        if (!other
                || asked.keySet().stream()
                        .noneMatch(column -> shares.concerns(column.resource()) && victim.uses(column))) {
            return null;
        }
        List<Id> side = sideOf(victim);
        if (side.isEmpty() || !beyond(side)) {
            return null;
        }
        if (!side.stream().allMatch(shares::reclaimable)) {
            return NOT_RECLAIMABLE;
        }
        return deserves(levelsBelow(Id.cohort(victim.queueRef().name()))) ? "" : DESERVED;
    }

    /** The queues that a victim is in, below the lowest that the preemptor is in, too. */
    private List<Id> sideOf(Workload victim) {
        return sideOf(Id.cohort(victim.queueRef().name()));
    }

    private List<Id> sideOf(Id other) {
        List<Id> others = new ArrayList<>(tree.path(other));
        others.removeAll(path);
        return others;
    }

    /** How many queues the preemptor is in below the lowest that both are in. */
    private int levelsBelow(Id other) {
        List<Id> own = new ArrayList<>(path.subList(1, path.size()));
        own.removeAll(tree.path(other));
        return own.size();
    }

    /** Whether queues use more than they deserve of something that is asked for, all of them. */
    private boolean beyond(List<Id> side) {
        return asked.keySet().stream()
                .filter(column -> shares.concerns(column.resource()))
                .anyMatch(column -> side.stream()
                        .allMatch(node -> tree.usedInAll(node, column) > shares.deserved(node, column.resource())));
    }

    /** Whether the guarantees of all that a victim is in are kept when so much of it goes. */
    private boolean guaranteesStay(List<Id> side, SortedMap<FlavorResource, Long> amounts) {
        for (Map.Entry<FlavorResource, Long> each : amounts.entrySet()) {
            for (Id node : side) {
                long guaranteed = shares.guaranteed(node, each.getKey().resource());
                if (guaranteed > 0 && tree.usedInAll(node, each.getKey()) - each.getValue() < guaranteed) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public List<Way> ways(List<Spare> allowed, Consumer<String> refused) {
        List<Spare> order = new ArrayList<>();
        TreeMap<Id, List<Spare>> left = InTurn.byQueue(
                allowed, spare -> Id.cohort(spare.workload().queueRef().name()));
        for (Id from = first(left); from != null; from = first(left)) {
            Spare next = left.get(from).stream()
                    .filter(spare -> guaranteesStay(sideOf(spare.workload()), spare.amounts()))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                left.remove(from).forEach(spare -> refused.accept(GUARANTEE));
                continue;
            }
            left.get(from).remove(next);
            order.add(next);
            tree.chargeAll(from.name(), next.amounts(), -1);
        }
        order.forEach(spare -> tree.chargeAll(spare.workload().queueRef().name(), spare.amounts(), 1));
        return order.isEmpty() ? List.of() : List.of(new Way(order));
    }

    /**
     * The queue to give back next: those of lower priority first, then the nearest, then that with the largest share of what it
     * deserves. Null where none is beyond that any more.
     */
    private Id first(TreeMap<Id, List<Spare>> left) {
        Comparator<Id> order = Comparator.comparingInt((Id id) -> shares.priority(id))
                .thenComparingInt(this::levelsBelow)
                .thenComparing(Comparator.comparing((Id id) -> shares.ofDeserved(id, tree))
                        .reversed())
                .thenComparing(Comparator.naturalOrder());
        left.values().removeIf(List::isEmpty);
        return left.keySet().stream()
                .filter(id -> beyond(sideOf(id)))
                .min(order)
                .orElse(null);
    }

    /** Workloads in the order in which they are reclaimed, each of which must be beyond what its queue deserves in its turn. */
    final class Way extends InTurn {
        private Way(List<Spare> order) {
            super(tree, order);
        }

        @Override
        public String reason(List<Spare> hit) {
            return Evict.RECLAIMED;
        }

        @Override
        public boolean covers(List<Reservation> plan) {
            return gate.covered(workload, plan) == plan.size()
                    && stands((spare, amounts) -> {
                        List<Id> side = sideOf(spare.workload());
                        return beyond(side) && guaranteesStay(side, amounts);
                    });
        }
    }
}
