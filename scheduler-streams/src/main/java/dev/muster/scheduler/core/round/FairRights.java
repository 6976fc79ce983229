package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.Strategy;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Whom a workload of a ClusterQueue may have evicted while queues share fairly (Kueue, Preemption, Fair sharing; KEP-1714):
 * others of its queue by {@code withinClusterQueue}, and workloads of queues that borrow, by {@code reclaimWithinCohort} and a
 * strategy that compares shares. Those go first whose queue has the largest share, looked for from the root down.
 *
 * <p>Shares are compared where the two queues part: of whatever is below the lowest cohort that both are in. While the
 * preemptor's side borrows nothing its share is 0, so that its own quota comes back whatever others have.
 */
final class FairRights implements Rights {
    /** No strategy lets a workload go whose queue borrows. */
    static final String SHARE = "FairShare";

    /** The other's share is larger, but not by enough. */
    static final String HYSTERESIS = "FairShareHysteresis";

    private final QuotaGate gate;
    private final QuotaTree tree;
    private final QueueRights policies;
    private final FairSharing sharing;
    private final Workload workload;
    private final Id queue;
    private final List<Id> path;
    private final SortedMap<FlavorResource, Long> asked;
    /** Only looked up. */
    private final Set<Spare> keptByHysteresis = new HashSet<>();

    FairRights(QuotaGate gate, QuotaTree tree, QueueRights policies, FairSharing sharing, Workload workload) {
        this.gate = gate;
        this.tree = tree;
        this.policies = policies;
        this.sharing = sharing;
        this.workload = workload;
        this.queue = Id.queue(workload.queueRef().name());
        this.path = tree.path(queue);
        this.asked = QuotaDemand.amounts(workload, workload.flavors());
    }

    @Override
    public String refusal(Workload victim) {
        String refusal = policies.refusalWhileSharing(victim);
        // A gang that goes whole can leave its queue with less than its own. What it takes back then must not be who it
        // went for: the two would go in turns.
        boolean wentForIt = "".equals(refusal) && victim.id().equals(workload.evictedFor());
        return wentForIt ? Guards.CYCLE : refusal;
    }

    @Override
    public List<Way> ways(List<Spare> allowed, Consumer<String> refused) {
        List<Spare> order = order(allowed);
        Set<Spare> found = new HashSet<>(order);
        for (Spare spare : allowed) {
            if (!found.contains(spare)) {
                refused.accept(keptByHysteresis.contains(spare) ? HYSTERESIS : SHARE);
            }
        }
        return order.isEmpty() ? List.of() : List.of(new Way(order));
    }

    /** Those that may go, in the order in which they would, as far as quota is concerned. */
    private List<Spare> order(List<Spare> allowed) {
        List<Spare> order = new ArrayList<>();
        List<Spare> again = new ArrayList<>();
        tree.chargeAll(queue.name(), asked, 1);
        for (int i = 0; i < sharing.strategies().size(); i++) {
            Strategy strategy = sharing.strategies().get(i);
            List<Spare> candidates = i == 0 ? allowed : List.copyOf(again);
            again.clear();
            follow(strategy, i == 0, InTurn.byQueue(candidates, FairRights::queueOf), order, again);
        }
        order.forEach(spare -> tree.chargeAll(queueOf(spare).name(), spare.amounts(), 1));
        tree.chargeAll(queue.name(), asked, -1);
        return order;
    }

    private static Id queueOf(Spare spare) {
        return Id.queue(spare.workload().queueRef().name());
    }

    /**
     * Takes candidates by a strategy until there are none. With the first strategy a queue is looked at again and again; with
     * the second once, since what it lets go is more than is fair already.
     */
    private void follow(
            Strategy strategy, boolean first, TreeMap<Id, List<Spare>> left, List<Spare> order, List<Spare> again) {
        while (!left.isEmpty()) {
            int before = left.size();
            Id target = path.size() == 1 ? left.firstKey() : largest(path.getLast(), left);
            if (target == null && left.size() < before) {
                continue;
            }
            if (target == null) {
                return;
            }
            List<Spare> candidates = left.get(target);
            Spare taken = null;
            while (taken == null && !candidates.isEmpty()) {
                Spare spare = candidates.removeFirst();
                if (target.equals(queue) || lets(strategy, spare, spare.amounts())) {
                    taken = spare;
                } else {
                    again.add(spare);
                }
            }
            if (taken != null) {
                order.add(taken);
                tree.chargeAll(target.name(), taken.amounts(), -1);
            }
            if (candidates.isEmpty() || !first) {
                left.remove(target);
            }
        }
    }

    /** The queue with the largest share of those left, from a cohort down; drops those that do not borrow any more. */
    private Id largest(Id cohort, TreeMap<Id, List<Spare>> left) {
        TreeMap<Id, Share> sides = new TreeMap<>();
        for (Id candidate : List.copyOf(left.keySet())) {
            List<Id> others = tree.path(candidate);
            int at = others.indexOf(cohort);
            if (at > 0) {
                Id side = others.get(at - 1);
                Share share = sides.computeIfAbsent(side, id -> tree.share(id, QueueRights.NOTHING));
                if (!share.borrowing() && !path.contains(side)) {
                    left.remove(candidate);
                }
            }
        }
        Id largest = null;
        for (Map.Entry<Id, Share> side : sides.entrySet()) {
            boolean candidates = side.getValue().borrowing() || path.contains(side.getKey());
            boolean any = candidates
                    && left.keySet().stream().anyMatch(id -> tree.path(id).contains(side.getKey()));
            // Cohorts come before queues, and keep their place where shares are equal: there is more to choose from.
            if (any && (largest == null || side.getValue().compareTo(sides.get(largest)) > 0)) {
                largest = side.getKey();
            }
        }
        boolean isQueue = largest == null || largest.equals(queue) || left.containsKey(largest);
        return isQueue ? largest : largest(largest, left);
    }

    /** Whether a strategy lets so much of a victim go, while it is there and the preemptor's asking is charged. */
    private boolean lets(Strategy strategy, Spare spare, SortedMap<FlavorResource, Long> amounts) {
        List<Id> others = tree.path(queueOf(spare));
        int common = 0;
        while (!path.contains(others.get(common))) {
            if (!tree.share(others.get(common), QueueRights.NOTHING).borrowing()) {
                return false;
            }
            common++;
        }
        Share ours = tree.share(path.get(path.indexOf(others.get(common)) - 1), QueueRights.NOTHING);
        Id side = others.get(common - 1);
        if (!ours.borrowing()) {
            return true;
        }
        if (strategy == Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE) {
            tree.chargeAll(queueOf(spare).name(), amounts, -1);
            Share without = tree.share(side, QueueRights.NOTHING);
            tree.chargeAll(queueOf(spare).name(), amounts, 1);
            return ours.compareTo(without) <= 0;
        }
        Share with = tree.share(side, QueueRights.NOTHING);
        boolean lets = ours.plusMilli(sharing.hysteresisMilli()).compareTo(with) < 0;
        if (!lets && ours.compareTo(with) < 0) {
            keptByHysteresis.add(spare);
        }
        return lets;
    }

    /** Workloads in the order in which they go, each of which a strategy has to let go in its turn. */
    final class Way extends InTurn {
        private Way(List<Spare> order) {
            super(tree, order);
        }

        @Override
        public String reason(List<Spare> hit) {
            if (hit.stream().allMatch(policies::ofQueue)) {
                return Evict.CLUSTER_QUEUE;
            }
            tree.chargeAll(queue.name(), asked, 1);
            boolean borrows =
                    hit.stream().filter(spare -> !policies.ofQueue(spare)).anyMatch(this::whileBorrowing);
            tree.chargeAll(queue.name(), asked, -1);
            return borrows ? Evict.COHORT_FAIR_SHARING : Evict.COHORT;
        }

        private boolean whileBorrowing(Spare spare) {
            Id common = tree.path(queueOf(spare)).stream()
                    .filter(path::contains)
                    .findFirst()
                    .orElseThrow();
            return tree.share(path.get(path.indexOf(common) - 1), QueueRights.NOTHING)
                    .borrowing();
        }

        @Override
        public boolean covers(List<Reservation> plan) {
            if (gate.covered(workload, plan) < plan.size()) {
                return false;
            }
            tree.chargeAll(queue.name(), asked, 1);
            boolean stands = stands((spare, amounts) -> policies.ofQueue(spare)
                    || sharing.strategies().stream().anyMatch(strategy -> lets(strategy, spare, amounts)));
            tree.chargeAll(queue.name(), asked, -1);
            return stands;
        }
    }
}
