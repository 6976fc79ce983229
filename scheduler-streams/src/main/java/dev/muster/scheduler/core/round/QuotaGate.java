package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.LocalQueue;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.round.FlavorSearch.Assignment;
import dev.muster.scheduler.core.round.FlavorSearch.Obstacle;
import dev.muster.scheduler.core.round.FlavorSearch.When;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Queues;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a workload's queue has to say to its being placed now: with which flavors, or why not. */
final class QuotaGate {
    private static final String NO_FLAVOR = "";

    private final DomainState state;
    private final Queues queues;

    QuotaGate(DomainState state) {
        this.state = state;
        this.queues = state.queues();
    }

    /**
     * The answer.
     *
     * @param assignments what may be placed with, the one to prefer first; none where nothing may
     * @param refusal why nothing may; null otherwise
     * @param scope whom else a refusal concerns
     * @param ifOthersGo what it might be placed with if others that use the quota went; none where nothing is refused
     */
    record Answer(List<Assignment> assignments, Reason refusal, Scope scope, List<Assignment> ifOthersGo) {
        private static Answer no(Reason refusal, Scope scope) {
            return new Answer(List.of(), refusal, scope, List.of());
        }

        private static Answer yes(List<Assignment> assignments) {
            return new Answer(assignments, null, Scope.ONE, List.of());
        }
    }

    /** Whom a refusal concerns. */
    enum Scope {
        /** The workload alone. */
        ONE,
        /** Whatever asks the queue for the same. */
        ALIKE,
        /** All that wait in the queue behind it. */
        QUEUE
    }

    /** Whether a minimum may be placed. */
    Answer minimum(Workload workload) {
        return hasNoSay(workload) ? unlimited(workload) : judge(workload, QuotaDemand.ofMinimum(workload), true);
    }

    /** Whether at least one member beyond the minimum may be placed. */
    Answer surplus(Workload workload) {
        return hasNoSay(workload) ? unlimited(workload) : judge(workload, QuotaDemand.ofFirst(workload), false);
    }

    /** A name that no object describes limits nothing. */
    private boolean hasNoSay(Workload workload) {
        return !workload.queueRef().ofKueue() && queues.treeOf(workload.queueRef()) == null;
    }

    /** Whether Volcano Queues take back what they deserve. */
    private boolean reclaims() {
        return state.policy().fairSharing().volcano() != VolcanoShare.NONE
                && queues.volcanoShares().anyDeserved();
    }

    /** Whether the queue of a workload lets it have anybody evicted for quota. */
    boolean mayPreempt(Workload workload) {
        if (!workload.queueRef().ofKueue()) {
            return reclaims();
        }
        ClusterQueue queue = queues.objects().clusterQueue(workload.queueRef().name());
        return queue != null && queue.preemption().any();
    }

    private Answer judge(Workload workload, List<QuotaDemand> demands, boolean starts) {
        QueueRef queue = workload.queueRef();
        QuotaTree tree = queues.treeOf(queue);
        return switch (queue.kind()) {
            case LOCAL_QUEUE ->
                Answer.no(
                        QuotaReasons.misconfigured("there is no LocalQueue " + workload.localQueue() + " in namespace "
                                + workload.namespace()),
                        Scope.QUEUE);
            case NAMED -> capability(workload, tree, demands, starts);
            case CLUSTER_QUEUE -> clusterQueue(workload, tree, demands, starts);
        };
    }

    private static Answer unlimited(Workload workload) {
        return Answer.yes(List.of(new Assignment(workload.flavors(), false, false)));
    }

    private Answer capability(Workload workload, QuotaTree tree, List<QuotaDemand> demands, boolean starts) {
        String queue = workload.queueRef().name();
        if (tree.disabled(Id.cohort(queue))) {
            return Answer.no(QuotaReasons.misconfigured("queue " + queue + " is below itself"), Scope.QUEUE);
        }
        SortedMap<String, Long> asked = new TreeMap<>();
        demands.forEach(demand -> demand.amounts().forEach((name, amount) -> asked.merge(name, amount, Long::sum)));
        Obstacle worst = null;
        for (var each : asked.entrySet()) {
            FlavorResource column = new FlavorResource(NO_FLAVOR, each.getKey());
            long available = tree.available(queue, column);
            if (queues.objects().bounds(each.getKey()) && each.getValue() > available) {
                long potential = tree.potential(Id.queue(queue), column);
                Obstacle lack = new Obstacle(NO_FLAVOR, each.getKey(), each.getValue(), available, potential, "");
                worst = worst == null || lack.lasting() && !worst.lasting() ? lack : worst;
            }
        }
        if (worst == null) {
            return unlimited(workload);
        }
        Reason refusal = QuotaReasons.tooLittle("queue " + queue, List.of(worst), usage(tree, queue));
        boolean mayChange = starts && !worst.lasting() && reclaims();
        return new Answer(
                List.of(),
                refusal,
                Scope.ALIKE,
                mayChange ? List.of(new Assignment(workload.flavors(), false, true)) : List.of());
    }

    private Answer clusterQueue(Workload workload, QuotaTree tree, List<QuotaDemand> demands, boolean starts) {
        String name = workload.queueRef().name();
        ClusterQueue queue = queues.objects().clusterQueue(name);
        Answer inactive = inactive(workload, name, queue, tree);
        if (inactive == null) {
            inactive = starts ? closed(workload, name, queue) : drained(workload, name, queue);
        }
        if (inactive != null) {
            return inactive;
        }
        FlavorSearch search = new FlavorSearch(queues.objects(), tree, workload, demands, When.NOW);
        List<Assignment> assignments = search.assignments();
        if (!assignments.isEmpty()) {
            return Answer.yes(starts ? inOrder(workload, tree, queue, demands, assignments) : assignments);
        }
        Reason refusal = QuotaReasons.tooLittle("ClusterQueue " + name, search.obstacles(), usage(tree, name));
        if (state.policy().fairSharing().enabled()) {
            refusal = withShare(refusal, workload, tree);
        }
        boolean mayChange = starts && refusal.code().equals(ReasonCodes.WAITING_FOR_QUOTA);
        List<Assignment> ifOthersGo = mayChange
                ? new FlavorSearch(queues.objects(), tree, workload, demands, When.IF_OTHERS_GO).assignments()
                : List.of();
        return new Answer(List.of(), refusal, Scope.ALIKE, ifOthersGo);
    }

    private List<Assignment> inOrder(
            Workload workload,
            QuotaTree tree,
            ClusterQueue queue,
            List<QuotaDemand> demands,
            List<Assignment> assignments) {
        if (!FlavorAttempts.matter(queue.fungibility()) || !queue.preemption().any()) {
            return wholeFirst(workload, tree, demands, assignments);
        }
        List<Assignment> all = new FlavorSearch(queues.objects(), tree, workload, demands, When.EMPTY).assignments();
        return new FlavorAttempts(queue.fungibility(), assignments, all).inOrder();
    }

    /**
     * The same, those first that have quota for all of the workload: it gets its surplus in the flavor of its minimum, so one
     * that holds all of it is better than an earlier one that holds a part (Kueue, partial admission: counts are reduced only
     * where the whole has no quota).
     */
    private List<Assignment> wholeFirst(
            Workload workload, QuotaTree tree, List<QuotaDemand> minimum, List<Assignment> assignments) {
        List<QuotaDemand> whole = QuotaDemand.ofAll(workload);
        if (assignments.size() == 1 || pods(whole) == pods(minimum)) {
            return assignments;
        }
        Set<Assignment> ordered =
                new LinkedHashSet<>(new FlavorSearch(queues.objects(), tree, workload, whole, When.NOW).assignments());
        Set<SortedMap<String, SortedMap<String, String>>> flavors = new HashSet<>();
        ordered.forEach(assignment -> flavors.add(assignment.flavors()));
        assignments.stream()
                .filter(assignment -> !flavors.contains(assignment.flavors()))
                .forEach(ordered::add);
        return List.copyOf(ordered);
    }

    private static int pods(List<QuotaDemand> demands) {
        return demands.stream().mapToInt(QuotaDemand::pods).sum();
    }

    private Reason withShare(Reason refusal, Workload workload, QuotaTree tree) {
        Id id = Id.queue(workload.queueRef().name());
        Share now = tree.share(id, Collections.emptySortedMap());
        Share then = tree.share(id, QuotaDemand.amounts(workload, FlavorSearch.likely(queues, workload)));
        return QuotaReasons.withShares(refusal, now, then);
    }

    private QuotaReasons.Usage usage(QuotaTree tree, String queue) {
        return column -> new long[] {
            tree.usage(Id.queue(queue), column),
            tree.quota(Id.queue(queue), column),
            tree.borrowed(Id.queue(queue), column)
        };
    }

    /** Whether the queue of a workload that names a LocalQueue cannot be used at all. */
    boolean inactive(Workload workload) {
        String name = workload.queueRef().name();
        ClusterQueue queue = queues.objects().clusterQueue(name);
        return inactive(workload, name, queue, queues.treeOf(workload.queueRef())) != null;
    }

    /** Whether a workload may start from its queue, which can be used, as far as quota allows. */
    boolean open(Workload workload) {
        String name = workload.queueRef().name();
        return closed(workload, name, queues.objects().clusterQueue(name)) == null;
    }

    /** Why the queue cannot be used; null where it can. */
    private Answer inactive(Workload workload, String name, ClusterQueue queue, QuotaTree tree) {
        String why = "";
        if (queue == null || tree == null) {
            why = "there is no ClusterQueue " + name + ", which LocalQueue " + workload.localQueue() + " of namespace "
                    + workload.namespace() + " is for";
        } else if (tree.disabled(Id.queue(name))) {
            why = "ClusterQueue " + name + " is in cohort " + queue.cohort() + ", which is below itself";
        } else if (!queues.objects().missingFlavors(queue).isEmpty()) {
            String missing = queues.objects().missingFlavors(queue).getFirst();
            why = "ClusterQueue " + name + " has flavor " + missing + ", which does not exist";
        }
        return why.isEmpty() ? null : Answer.no(QuotaReasons.misconfigured(why), Scope.QUEUE);
    }

    /** Why nothing new starts from the queue now, whatever is asked of it; null where something may. */
    private Answer closed(Workload workload, String name, ClusterQueue queue) {
        if (queue.stop() != StopPolicy.NONE) {
            return Answer.no(onHold("ClusterQueue " + name, queue.stop()), Scope.QUEUE);
        }
        if (localStop(workload) != StopPolicy.NONE) {
            return Answer.no(onHold("LocalQueue " + workload.localQueue(), localStop(workload)), Scope.ONE);
        }
        if (!admits(workload, queue)) {
            String message = "ClusterQueue " + name + " does not admit from namespace " + workload.namespace();
            return Answer.no(new Reason(ReasonCodes.NAMESPACE_NOT_ADMITTED, message, List.of()), Scope.ONE);
        }
        Workload front = queue.strict() ? front(workload.queueRef()) : workload;
        if (front == null || front == workload) {
            return null;
        }
        if (queue.byUsage()) {
            // By then another LocalQueue may have used less.
            state.lookAgainAt(state.timeMillis() + state.policy().fairSharing().usageSamplingMillis());
        }
        return Answer.no(QuotaReasons.behind(name, front, queue.byUsage()), queue.byUsage() ? Scope.ONE : Scope.QUEUE);
    }

    /** Why what runs does not grow: its queue is being emptied; null where it is not. */
    private Answer drained(Workload workload, String name, ClusterQueue queue) {
        if (queue.stop() == StopPolicy.HOLD_AND_DRAIN) {
            return Answer.no(onHold("ClusterQueue " + name, queue.stop()), Scope.QUEUE);
        }
        StopPolicy local = localStop(workload);
        return local == StopPolicy.HOLD_AND_DRAIN
                ? Answer.no(onHold("LocalQueue " + workload.localQueue(), local), Scope.ONE)
                : null;
    }

    private static Reason onHold(String queue, StopPolicy stop) {
        return new Reason(ReasonCodes.ON_HOLD, queue + " takes nothing: its stopPolicy is " + stop.label(), List.of());
    }

    private StopPolicy localStop(Workload workload) {
        Row.PolicyObject found = queues.localQueueOf(workload);
        return found != null && found.policy() instanceof LocalQueue local ? local.stop() : StopPolicy.NONE;
    }

    private boolean admits(Workload workload, ClusterQueue queue) {
        Row.PolicyObject localQueue = queues.localQueueOf(workload);
        return queue.selectsNamespaces()
                && localQueue != null
                && NodeExpression.all(
                        queue.namespaceSelector(),
                        state.namespaceLabels(localQueue.origin().cluster(), workload.namespace()));
    }

    /** Who may not be passed: the first that waits to start, those apart that could not start if they were alone. */
    private Workload front(QueueRef queue) {
        ClusterQueue described = queues.objects().clusterQueue(queue.name());
        Set<String> seen = new HashSet<>();
        Workload front = null;
        long least = Long.MAX_VALUE;
        for (Workload each : queues.waiting(queue)) {
            boolean stands = !each.started() && admits(each, described) && localStop(each) == StopPolicy.NONE;
            if (stands && !described.byUsage()) {
                return each;
            }
            if (stands && seen.add(Lane.localQueueOf(each))) {
                long used = queues.usedLately(each);
                front = front == null || used < least ? each : front;
                least = Math.min(least, used);
            }
        }
        return front;
    }

    /** How many of what was reserved the queue has quota for, from the first on; flavors are those given now. */
    int covered(Workload workload, Collection<Reservation> reserved) {
        QuotaTree tree = queues.treeOf(workload.queueRef());
        return tree == null ? reserved.size() : covered(workload.queueRef(), tree, reserved);
    }

    private int covered(QueueRef queue, QuotaTree tree, Collection<Reservation> reserved) {
        TreeMap<FlavorResource, Long> asked = new TreeMap<>();
        int covered = 0;
        for (Reservation reservation : reserved) {
            PodSet podSet = reservation.member().podSet();
            SortedMap<String, String> flavors = podSet.workload().flavorsOf(podSet);
            for (var amount : reservation.member().requirement().charge().entrySet()) {
                String flavor = flavors.getOrDefault(amount.getKey(), NO_FLAVOR);
                FlavorResource column = new FlavorResource(flavor, amount.getKey());
                boolean counts =
                        queue.ofKueue() ? !flavor.isEmpty() : queues.objects().bounds(amount.getKey());
                long sum = asked.merge(column, amount.getValue(), Long::sum);
                if (counts && sum > tree.available(queue.name(), column)) {
                    return covered;
                }
            }
            covered++;
        }
        return covered;
    }

    /**
     * Whether there is quota for all of these together, each with the flavors it was given: what those of one tree ask for is
     * added up and held against what each of their queues may use, which is never too much.
     */
    boolean coverTogether(List<Workload> gangs, List<List<Reservation>> reserved) {
        for (Workload gang : gangs) {
            QuotaTree tree = queues.treeOf(gang.queueRef());
            if (tree == null) {
                continue;
            }
            List<Reservation> ofTree = new ArrayList<>();
            for (int i = 0; i < gangs.size(); i++) {
                QueueRef other = gangs.get(i).queueRef();
                boolean together = other.kind() == gang.queueRef().kind()
                        && tree.path(Id.queue(other.name()))
                                .contains(tree.path(Id.queue(gang.queueRef().name()))
                                        .getLast());
                if (together) {
                    ofTree.addAll(reserved.get(i));
                }
            }
            if (covered(gang.queueRef(), tree, ofTree) < ofTree.size()) {
                return false;
            }
        }
        return true;
    }
}
