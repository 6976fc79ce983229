package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.Queues;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Whom a workload of a ClusterQueue may have evicted, by the queue's policies (Kueue, Preemption): others of its queue, and
 * those in its cohort whose queues borrow what it needs. Priorities outside of its cohort mean nothing to it.
 */
final class QueueRights implements Rights {
    /** {@code withinClusterQueue} keeps a workload of the same queue. */
    static final String WITHIN = "WithinClusterQueue";

    /** {@code reclaimWithinCohort} keeps a workload of a queue that borrows. */
    static final String RECLAIM = "ReclaimWithinCohort";

    /** It is more than the queue's own, and {@code borrowWithinCohort} keeps a workload of a queue that borrows. */
    static final String BORROW = "BorrowWithinCohort";

    static final SortedMap<FlavorResource, Long> NOTHING = Collections.emptySortedMap();

    static final String NEVER = "Never";
    static final String LOWER = "LowerPriority";
    static final String LOWER_OR_NEWER = "LowerOrNewerEqualPriority";

    private final QuotaGate gate;
    private final QuotaTree tree;
    private final Workload workload;
    private final Id queue;
    private final List<Id> path;
    private final Preemption policy;
    private final int priority;
    private final SortedMap<FlavorResource, Long> asked;
    private final List<FlavorResource> scarce;
    /** The nodes of the path, each of which would not borrow if it got this and those of the queue went that may. */
    private final List<Id> withinOwn;

    /**
     * @param priority that counts for it
     * @param ofQueue who runs of its queue where it may be placed
     */
    QueueRights(QuotaGate gate, Queues queues, Workload workload, int priority, Collection<Workload> ofQueue) {
        this.gate = gate;
        this.workload = workload;
        this.priority = priority;
        String name = workload.queueRef().name();
        this.tree = queues.treeOf(workload.queueRef());
        this.queue = Id.queue(name);
        this.path = tree.path(queue);
        this.policy = queues.objects().clusterQueue(name).preemption();
        this.asked = QuotaDemand.amounts(workload, workload.flavors());
        List<FlavorResource> lacking = asked.keySet().stream()
                .filter(column -> asked.get(column) > tree.available(name, column))
                .toList();
        this.scarce = lacking.isEmpty() ? List.copyOf(asked.keySet()) : lacking;
        this.withinOwn = withinOwn(ofQueue);
    }

    private List<Id> withinOwn(Collection<Workload> ofQueue) {
        SortedMap<FlavorResource, Long> mayGo = new TreeMap<>();
        for (Workload each : policy.reclaimWithinCohort().equals(NEVER) ? List.<Workload>of() : ofQueue) {
            if (mayGoOfQueue(each)) {
                QuotaUnits.of(each.usedAmounts()).forEach((column, amount) -> mayGo.merge(column, amount, Long::sum));
            }
        }
        List<Id> within = new ArrayList<>();
        for (Id node : policy.reclaimWithinCohort().equals(NEVER) ? List.<Id>of() : path) {
            boolean fits = asked.keySet().stream()
                    .allMatch(column -> tree.usage(node, column) - mayGo.getOrDefault(column, 0L) + asked.get(column)
                            <= tree.quota(node, column));
            if (fits) {
                within.add(node);
            }
        }
        return within;
    }

    /** What it has too little of. */
    List<FlavorResource> scarce() {
        return scarce;
    }

    /** Its queue. */
    QueueRef queue() {
        return workload.queueRef();
    }

    /** The tree that its queue is in. */
    QuotaTree tree() {
        return tree;
    }

    /** Why nobody of the queues that borrow is evicted for it, the same for all; null where it may be another for each. */
    String refusalOfBorrowers(int lowestPriority) {
        return refusalOfOthers(lowestPriority, !withinOwn.isEmpty());
    }

    private String refusalOfOthers(int lowestPriority, boolean reclaims) {
        boolean lower = lowestPriority < priority;
        boolean byPriority = policy.reclaimWithinCohort().equals(LOWER);
        if (policy.reclaimWithinCohort().equals(NEVER) || byPriority && !lower) {
            return RECLAIM;
        }
        boolean forBorrower = policy.borrowWithinCohort().equals(LOWER) && lower;
        return forBorrower || byPriority || reclaims ? null : BORROW;
    }

    /**
     * Why no workload of a queue is evicted for this one, the same for all; null where it may be another for each.
     *
     * @param lowestPriority of those
     */
    String refusalOfAll(QueueRef other, int lowestPriority) {
        if (!other.equals(workload.queueRef())) {
            return refusalOfOthers(lowestPriority, reclaims(other));
        }
        boolean mayGo = policy.withinClusterQueue().equals(LOWER_OR_NEWER)
                || policy.withinClusterQueue().equals(LOWER) && lowestPriority < priority;
        return mayGo ? null : WITHIN;
    }

    /** Whether nodes of the path would not borrow, and a queue is not below one of them. */
    private boolean reclaims(QueueRef other) {
        return withinOwn.stream().anyMatch(node -> !below(node, other.name()));
    }

    @Override
    public String refusal(Workload victim) {
        String refusal = refusalWhileSharing(victim);
        if (refusal == null || !refusal.isEmpty() || victim.queueRef().equals(workload.queueRef())) {
            return refusal;
        }
        return mayGoForBorrower(victim) || reclaims(victim.queueRef()) ? "" : BORROW;
    }

    /** The same where a workload that borrows may evict those that do. */
    String refusalWhileSharing(Workload victim) {
        if (victim.queueRef().kind() != QueueRef.Kind.CLUSTER_QUEUE
                || scarce.stream().noneMatch(victim::uses)) {
            return null;
        }
        if (victim.queueRef().equals(workload.queueRef())) {
            return mayGoOfQueue(victim) ? "" : WITHIN;
        }
        if (!borrows(victim)) {
            return null;
        }
        boolean reclaims = switch (policy.reclaimWithinCohort()) {
            case NEVER -> false;
            case LOWER -> victim.priority() < priority;
            default -> true;
        };
        return reclaims ? "" : RECLAIM;
    }

    private boolean mayGoOfQueue(Workload victim) {
        return switch (policy.withinClusterQueue()) {
            case LOWER -> victim.priority() < priority;
            case LOWER_OR_NEWER -> victim.priority() < priority || victim.priority() == priority && newer(victim);
            default -> false;
        };
    }

    private boolean newer(Workload victim) {
        int bySequence = Long.compare(victim.arrivedSequence(), workload.arrivedSequence());
        return bySequence != 0 ? bySequence > 0 : victim.id().compareTo(workload.id()) > 0;
    }

    private boolean mayGoForBorrower(Workload victim) {
        Integer threshold = policy.borrowThreshold();
        return policy.borrowWithinCohort().equals(LOWER)
                && victim.priority() < priority
                && (threshold == null || victim.priority() <= threshold);
    }

    /** Whether a workload's queue is below a node. */
    private boolean below(Id node, Workload victim) {
        return below(node, victim.queueRef().name());
    }

    private boolean below(Id node, String other) {
        return tree.path(Id.queue(other)).contains(node);
    }

    /** Whether a workload's queue, and what it is in up to what both are in, has more than its own of what is scarce. */
    private boolean borrows(Workload victim) {
        return borrows(victim.queueRef().name());
    }

    private boolean borrows(String other) {
        for (FlavorResource column : scarce) {
            if (tree.borrowsBeside(other, queue.name(), column)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<Way> ways(List<Spare> allowed, Consumer<String> refused) {
        List<Way> ways = new ArrayList<>();
        List<Spare> own = allowed.stream().filter(this::ofQueue).toList();
        addWay(ways, allowed, Evict.COHORT_WHILE_BORROWING, null, own);
        for (Id node : withinOwn) {
            addWay(ways, allowed, Evict.COHORT, node, own);
        }
        if (!own.isEmpty()) {
            ways.add(new Way(Evict.CLUSTER_QUEUE, null, own));
        }
        return ways;
    }

    private void addWay(List<Way> ways, List<Spare> allowed, String reason, Id limit, List<Spare> own) {
        List<Spare> others = allowed.stream()
                .filter(spare -> !ofQueue(spare))
                .filter(spare -> limit == null ? mayGoForBorrower(spare.workload()) : !below(limit, spare.workload()))
                .toList();
        if (!others.isEmpty()) {
            List<Spare> all = new ArrayList<>(others);
            all.addAll(own);
            ways.add(new Way(reason, limit, all));
        }
    }

    boolean ofQueue(Spare spare) {
        return spare.workload().queueRef().equals(workload.queueRef());
    }

    /** A policy by which some may go, and what has to hold then. */
    final class Way implements VictimRule {
        private final String reason;
        /** What must not borrow in the end; null for nothing. */
        private final Id limit;

        private final List<Spare> spares;

        private Way(String reason, Id limit, List<Spare> spares) {
            this.reason = reason;
            this.limit = limit;
            this.spares = spares;
        }

        @Override
        public String reason(List<Spare> hit) {
            return hit.stream().allMatch(QueueRights.this::ofQueue) ? Evict.CLUSTER_QUEUE : reason;
        }

        @Override
        public List<Spare> spares() {
            return spares;
        }

        /** Those of other queues only while their queues borrow. */
        @Override
        public boolean mayGo(Spare spare) {
            return ofQueue(spare) || borrows(spare.workload());
        }

        @Override
        public boolean covers(List<Reservation> plan) {
            if (gate.covered(workload, plan) < plan.size()) {
                return false;
            }
            if (limit == null) {
                return true;
            }
            asked.forEach((column, amount) -> tree.charge(queue.name(), column, amount));
            boolean within = asked.keySet().stream().allMatch(column -> tree.borrowed(limit, column) == 0);
            asked.forEach((column, amount) -> tree.charge(queue.name(), column, -amount));
            return within;
        }

        /** Who borrows gives back before anybody of the own queue makes room. */
        @Override
        public int turn(Spare spare) {
            return ofQueue(spare) ? 1 : 0;
        }

        /**
         * Kueue's order, from its end: others' workloads go first, then those of low priority, then the newest; one whose work
         * was saved counts as if it had started then.
         */
        @Override
        public Comparator<Spare> dearestFirst() {
            return Comparator.comparing((Spare spare) -> !ofQueue(spare))
                    .thenComparing(Comparator.comparingInt(Spare::priority).reversed())
                    .thenComparingLong(Spare::savedMillis)
                    .thenComparing(spare -> spare.workload().id());
        }

        @Override
        public boolean byNodes() {
            return false;
        }
    }
}
