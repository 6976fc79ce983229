package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Lanes.Lane;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells at a glance of most workloads in ClusterQueues what a closer look would find: that they would have to borrow, or that
 * there is no quota for them and nobody whom they may have evicted. What it takes to tell is worked out once for each lane and
 * kept from round to round: which flavors pods may have, and where what is left of those is counted.
 *
 * <p>A memory only: with or without it every workload meets the same fate, and the same is said of it.
 */
final class Glance {
    private static final int FEW = 1_024;

    private final DomainState state;
    private final KeptRoom kept;
    /** Only looked up. */
    private final Map<Lane, Shape> shapes = new HashMap<>();

    private long policiesVersion = -1;
    private QuotaTree tree;

    /** What can be told. */
    enum Sight {
        /** Nothing: a closer look is needed. */
        UNCLEAR,
        /** It could only start with borrowed quota. */
        WOULD_BORROW,
        /** There is no quota for it, and nobody may be evicted for it. */
        NO_QUOTA
    }

    Glance(DomainState state, KeptRoom kept) {
        this.state = state;
        this.kept = kept;
    }

    /** A flavor: what it would be charged for, and where that is counted. */
    private static final class Choice {
        private final List<Charge> charges;
        /** Whether there would be quota for it if nothing were used. */
        private final boolean everAvailable;

        private Choice(List<Charge> charges) {
            this.charges = charges;
            this.everAvailable = charges.stream()
                    .noneMatch(charge -> charge.amount() > charge.account().potential());
        }

        private boolean available() {
            for (Charge charge : charges) {
                if (charge.amount() > charge.account().available()) {
                    return false;
                }
            }
            return true;
        }

        private boolean borrows() {
            for (Charge charge : charges) {
                if (charge.account().borrowsWith(charge.amount())) {
                    return true;
                }
            }
            return false;
        }

        /** Whether neither the queue nor any cohort above it would have enough of its own. */
        private boolean borrowsEverywhere() {
            for (Charge charge : charges) {
                if (charge.account().allBorrowWith(charge.amount())) {
                    return true;
                }
            }
            return false;
        }
    }

    private record Charge(QuotaTree.Account account, long amount) {}

    /** What workloads of one lane ask of their queue: of each resource group one of some flavors. */
    private static final class Shape {
        private final ClusterQueue queue;
        private final List<List<Choice>> groups;
        /** The last one that was asked about, what it named, and whether it may start from its queue at all. */
        private Workload asked;

        private String localQueue = "";
        private boolean open;

        private Shape(ClusterQueue queue, List<List<Choice>> groups) {
            this.queue = queue;
            this.groups = groups;
        }
    }

    /**
     * What can be told of a workload.
     *
     * @param borrowing whether those that would have to borrow may start now
     * @param sentence whether it is to be said why it waits
     */
    Sight of(Workload workload, QuotaGate gate, boolean borrowing, boolean sentence) {
        if (!plain(workload)) {
            return Sight.UNCLEAR;
        }
        Shape shape = shapeOf(workload, gate);
        if (shape == null || !open(shape, workload, gate)) {
            return Sight.UNCLEAR;
        }
        boolean borrows = false;
        for (List<Choice> group : shape.groups) {
            Choice first = first(shape.queue, group, true);
            if (first == null) {
                return withoutQuota(workload, shape, borrowing, sentence);
            }
            borrows |= first.borrows();
        }
        return borrows && !borrowing ? Sight.WOULD_BORROW : Sight.UNCLEAR;
    }

    /**
     * Whether it is one of those of whom anything can be told: nothing of it is placed, its pods are alike, and none of them is
     * surplus, which has a say in the flavor.
     */
    private boolean plain(Workload workload) {
        return workload.queueRef().kind() == QueueRef.Kind.CLUSTER_QUEUE
                && workload.lane() != null
                && workload.uniformWaiting() != null
                && workload.podSetsInOrder().size() == 1
                && workload.ready() == 0
                && workload.count(Member.Phase.WAITING) == workload.minMember()
                && workload.flavors().isEmpty()
                && !workload.reserves()
                && !kept.isFor(workload)
                && workload.startsWith().isEmpty();
    }

    private Shape shapeOf(Workload workload, QuotaGate gate) {
        QuotaTree now = state.queues().kueue();
        if (now != tree || policiesVersion != state.policiesVersion() || shapes.size() > 2 * state.laneCount() + FEW) {
            shapes.clear();
            tree = now;
            policiesVersion = state.policiesVersion();
        }
        Lane lane = workload.lane();
        Shape shape = shapes.get(lane);
        if (shape == null && !shapes.containsKey(lane)) {
            shape = newShape(workload, gate);
            shapes.put(lane, shape);
        }
        return shape;
    }

    /** Null where nothing can be told of workloads of this lane. */
    private Shape newShape(Workload workload, QuotaGate gate) {
        PodSet podSet = workload.podSetsInOrder().getFirst();
        String name = workload.queueRef().name();
        ClusterQueue queue = state.queues().objects().clusterQueue(name);
        boolean usual = queue != null
                && !queue.strict()
                && !FlavorAttempts.matter(queue.fungibility())
                && workload.taskMinimum(podSet) <= workload.minMember();
        if (!usual || gate.inactive(workload)) {
            return null;
        }
        List<QuotaDemand> demands = QuotaDemand.ofMinimum(workload);
        if (demands.size() != 1) {
            return null;
        }
        List<List<FlavorSearch.Option>> options =
                new FlavorSearch(state.queues().objects(), tree, workload, demands, FlavorSearch.When.NOW).options();
        if (options == null) {
            return null;
        }
        Set<FlavorResource> columns = new HashSet<>();
        List<List<Choice>> groups = new ArrayList<>();
        for (List<FlavorSearch.Option> group : options) {
            List<Choice> choices = new ArrayList<>();
            for (FlavorSearch.Option option : group) {
                Choice choice = choice(name, option);
                if (choice == null || !option.amounts().keySet().stream().allMatch(columns::add)) {
                    return null;
                }
                choices.add(choice);
            }
            groups.add(choices);
        }
        return new Shape(queue, groups);
    }

    private Choice choice(String queue, FlavorSearch.Option option) {
        List<Charge> charges = new ArrayList<>();
        for (var amount : option.amounts().entrySet()) {
            QuotaTree.Account account = tree.account(queue, amount.getKey());
            if (account == null) {
                return null;
            }
            charges.add(new Charge(account, amount.getValue()));
        }
        return new Choice(charges);
    }

    private static boolean open(Shape shape, Workload workload, QuotaGate gate) {
        if (shape.asked != workload || !shape.localQueue.equals(workload.localQueue())) {
            shape.asked = workload;
            shape.localQueue = workload.localQueue();
            shape.open = gate.open(workload);
        }
        return shape.open;
    }

    /** The flavor of a group that is taken first, as flavorFungibility prefers them; null where none does. */
    private static Choice first(ClusterQueue queue, List<Choice> group, boolean now) {
        Choice borrowed = null;
        for (Choice choice : group) {
            if (now ? choice.available() : choice.everAvailable) {
                if (queue.fungibility().borrowStops() || !choice.borrows()) {
                    return choice;
                }
                borrowed = borrowed == null ? choice : borrowed;
            }
        }
        return borrowed;
    }

    private Sight withoutQuota(Workload workload, Shape shape, boolean borrowing, boolean sentence) {
        boolean borrows = false;
        for (List<Choice> group : shape.groups) {
            Choice first = first(shape.queue, group, false);
            if (first == null) {
                return Sight.UNCLEAR;
            }
            borrows |= first.borrows();
        }
        boolean preempts = shape.queue.preemption().any();
        if ((sentence || preempts) && !borrowing && borrows) {
            return Sight.WOULD_BORROW;
        }
        boolean known = !sentence && workload.reason().code().equals(ReasonCodes.WAITING_FOR_QUOTA);
        return known && (!preempts || hopeless(workload, shape)) ? Sight.NO_QUOTA : Sight.UNCLEAR;
    }

    /** Whether there is nobody whom the queue's policies could let go for it, whatever they use. */
    private boolean hopeless(Workload workload, Shape shape) {
        int priority = Math.min(workload.priority(), state.policy().preemption().ceiling(workload.namespace()));
        for (Workload owner : kept.none() ? List.<Workload>of() : kept.owners()) {
            if (owner.priority() < priority && owner.queueRef().equals(workload.queueRef())) {
                return false;
            }
        }
        Preemption policy = shape.queue.preemption();
        boolean never = policy.reclaimWithinCohort().equals(QueueRights.NEVER);
        boolean byPriority = policy.reclaimWithinCohort().equals(QueueRights.LOWER);
        boolean ofBorrower = policy.borrowWithinCohort().equals(QueueRights.LOWER);
        // Nobody of its own queue may go, or this is not reached: what it would have to borrow, it would have to then.
        boolean mayReclaim = !never
                && !shape.groups.stream().anyMatch(group -> group.stream().allMatch(Choice::borrowsEverywhere));
        for (ClusterState cluster : state.clusters()) {
            boolean anyLower = state.running().lowestPriority(cluster) < priority;
            boolean others = !never && (anyLower || !byPriority) && (mayReclaim || ofBorrower && anyLower);
            if (others || anyOfItsQueue(workload, cluster, policy, priority)) {
                return false;
            }
        }
        return true;
    }

    private boolean anyOfItsQueue(Workload workload, ClusterState cluster, Preemption policy, int priority) {
        boolean orNewer = policy.withinClusterQueue().equals(QueueRights.LOWER_OR_NEWER);
        if (!orNewer && !policy.withinClusterQueue().equals(QueueRights.LOWER)) {
            return false;
        }
        return state.running().anyOf(cluster, workload.queueRef(), priority, orNewer ? workload.arrivedSequence() : -1);
    }
}
