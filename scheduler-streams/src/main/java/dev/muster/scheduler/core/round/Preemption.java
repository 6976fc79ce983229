package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.round.Borrowers.Found;
import dev.muster.scheduler.core.rule.FilterRule;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.Absences;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Running.OfQueue;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes room for gangs that found none, by evicting pods of lower priority: proved first, guarded, then one decision that names
 * all victims, while the room is kept. Room that leaves anyway is waited for before anybody is evicted.
 */
final class Preemption {
    /** So many gangs of a round, the first in its order, get a search for victims. */
    private static final int MOST_SEARCHES = 16;

    /** Where all of these searched in vain, one in so many of the others does, too, and so many of them at most. */
    private static final int ONE_IN = 64;

    private final DomainState state;
    private final KeptRoom kept;
    private final Profiles profiles;
    private final Overlay overlay;
    private final GangPlacer placer;
    private final CandidateIndex index;
    private final Decisions decisions;
    private final QuotaGate gate;
    private final Guards guards;
    private final Borrowers borrowers;
    private final Map<ClusterState, LowerRoom> lowerRoom = new HashMap<>();
    private final List<Workload> postponed = new ArrayList<>();
    private int searches;
    private int inTurn;
    private int successes;

    /** What came of it. */
    enum Result {
        /** Room that was kept for others was enough: the gang is reserved, to be placed. */
        RESERVED,
        /** Pods leave, and their room is kept. */
        KEPT,
        /** Nothing. */
        NONE,
        /** Nothing, and not even all room of lower priority would have been enough. */
        HOPELESS
    }

    /** What guards refused for a workload, and when one of them may think otherwise at the earliest. */
    static final class Refusals {
        private final TreeMap<String, Integer> byGuard = new TreeMap<>();
        private long untilMillis = Long.MAX_VALUE;

        private void add(String policy) {
            add(policy, 1);
        }

        private void add(String policy, int workloads) {
            if (workloads > 0) {
                byGuard.merge(policy, workloads, Integer::sum);
            }
        }

        private void add(Guards.Refusal refusal, int workloads) {
            byGuard.merge(refusal.guard(), workloads, Integer::sum);
            untilMillis = Math.min(untilMillis, refusal.untilMillis());
        }

        /** How many workloads each guard kept from being evicted; 0 where it is about the workload that waits itself. */
        TreeMap<String, Integer> byGuard() {
            return byGuard;
        }

        long untilMillis() {
            return untilMillis;
        }
    }

    Preemption(
            DomainState state,
            KeptRoom kept,
            Profiles profiles,
            Overlay overlay,
            GangPlacer placer,
            CandidateIndex index,
            QuotaGate gate,
            Decisions decisions) {
        this.state = state;
        this.kept = kept;
        this.profiles = profiles;
        this.overlay = overlay;
        this.placer = placer;
        this.index = index;
        this.decisions = decisions;
        this.gate = gate;
        this.guards = new Guards(state, kept);
        this.borrowers = new Borrowers(state.running());
    }

    /** Whether the room that is kept for a workload is still worth waiting for. */
    boolean worthWaitingFor(Workload workload) {
        if (!kept.awaitsAnybody(workload)) {
            return false;
        }
        Profile profile = profiles.of(workload);
        for (KeptRoom.Place place : kept.places(workload)) {
            boolean there = place.node().facts() != null && place.node().ordinal() >= 0;
            FilterRule refusing = there ? profile.refusedBy(place.requirement(), place.node()) : null;
            // Ports are taken until those that leave have left.
            if (!there || refusing != null && !refusing.name().equals("HostPorts")) {
                return false;
            }
        }
        return true;
    }

    /** What is said of a workload for which room is kept. */
    Reason awaiting(Workload workload) {
        List<KeptRoom.Place> places = kept.places(workload);
        long nodes = places.stream().map(KeptRoom.Place::node).distinct().count();
        int victims = kept.stillThere(workload);
        String message = "room for " + count(places.size(), "pod") + " is kept on " + count(nodes, "node")
                + " of cluster " + kept.clusterOf(workload) + " until "
                + (victims == 0
                        ? "pods that are being deleted have left"
                        : count(victims, "pod") + " evicted for it " + (victims == 1 ? "has" : "have") + " left");
        return new Reason(ReasonCodes.AWAITING_EVICTIONS, message, List.of());
    }

    private static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Looks for room and quota that others have, whom it may have evicted, in a cluster where a gang found none. */
    Result makeRoom(Workload workload, ClusterState cluster, Refusals refusals) {
        LowerRoom lower = lowerRoom.computeIfAbsent(cluster, same -> new LowerRoom(state, same, kept));
        Rights reclaim = workload.queueRef().ofKueue() ? null : ReclaimRights.of(workload, state, gate);
        Result reclaimed = reclaim == null ? Result.HOPELESS : makeRoom(workload, cluster, lower, reclaim, refusals);
        // Priority gives room, not quota.
        boolean done = reclaimed == Result.RESERVED
                || reclaimed == Result.KEPT
                || reclaim != null && gate.minimum(workload).refusal() != null;
        if (done) {
            return reclaimed;
        }
        Rights rights = workload.queueRef().ofKueue() ? ofKueue(workload, cluster) : null;
        Result result = makeRoom(workload, cluster, lower, rights, refusals);
        return result == Result.HOPELESS ? reclaimed : result;
    }

    private Rights ofKueue(Workload workload, ClusterState cluster) {
        QueueRights policies = new QueueRights(
                gate,
                state.queues(),
                workload,
                guards.priorityOf(workload),
                state.running().of(cluster, workload.queueRef()));
        FairSharing sharing = state.policy().fairSharing();
        return sharing.enabled()
                ? new FairRights(gate, state.queues().treeOf(workload.queueRef()), policies, sharing, workload)
                : policies;
    }

    /** @param rights null where lower priority is the right */
    private Result makeRoom(
            Workload workload, ClusterState cluster, LowerRoom lower, Rights rights, Refusals refusals) {
        List<Workload> candidates = switch (rights) {
            case null -> state.running().below(cluster, workload.priority());
            case QueueRights policies -> byPolicy(policies, cluster, refusals);
            default -> byRight(rights, cluster, refusals);
        };
        List<Workload> owners = lowerOwners(workload, cluster);
        if (candidates.isEmpty() && owners.isEmpty()) {
            return Result.HOPELESS;
        }
        boolean suffices = rights == null
                ? lower.couldSuffice(workload, candidates)
                : lower.couldSuffice(workload, candidates, owners);
        if (!suffices) {
            return Result.HOPELESS;
        }
        Guards.Refusal refusal = guards.ofPreemptor(workload);
        if (refusal != null) {
            refusals.add(refusal, 0);
            return Result.NONE;
        }
        if (!mayStillSearch(workload)) {
            postponed.add(workload);
            return Result.NONE;
        }
        owners.forEach(kept::lift);
        Result result = makeRoom(workload, cluster, rights, candidates, owners, refusals);
        successes += result == Result.NONE ? 0 : 1;
        owners.forEach(kept::putBack);
        return result;
    }

    /** Those that no search was left for are looked at again in the next round. */
    void end() {
        postponed.forEach(state::lookAtAgain);
    }

    private boolean mayStillSearch(Workload workload) {
        if (searches < MOST_SEARCHES) {
            searches++;
            return true;
        }
        if (successes > 0) {
            return false;
        }
        boolean itsTurn = Math.floorMod(workload.arrivedSequence() + state.nextSequence(), ONE_IN) == 0;
        return itsTurn && ++inTurn <= MOST_SEARCHES;
    }

    /** Those that a right lets go, by id; what it refuses is noted. */
    private List<Workload> byRight(Rights rights, ClusterState cluster, Refusals refusals) {
        List<Workload> candidates = new ArrayList<>();
        for (Workload each : state.running().below(cluster, Integer.MAX_VALUE)) {
            String refusal = rights.refusal(each);
            if (refusal != null && refusal.isEmpty()) {
                candidates.add(each);
            } else if (refusal != null) {
                refusals.add(refusal);
            }
        }
        candidates.sort(Comparator.comparing(Workload::id));
        return candidates;
    }

    /** Those that the policies of the queue let go, by id; what they refuse is noted. */
    private List<Workload> byPolicy(QueueRights rights, ClusterState cluster, Refusals refusals) {
        List<Workload> candidates = new ArrayList<>();
        byPolicy(rights, cluster, rights.queue(), candidates, refusals);
        Found borrowers =
                this.borrowers.summary(cluster, rights.tree(), rights.queue().name(), rights.scarce());
        String ofAll = rights.refusalOfBorrowers(borrowers.lowestPriority());
        if (ofAll != null) {
            refusals.add(ofAll, borrowers.users());
        } else if (borrowers.lowestPriority() < Integer.MAX_VALUE) {
            this.borrowers
                    .all(cluster, rights.tree(), rights.queue().name(), rights.scarce())
                    .queues()
                    .forEach(queue -> byPolicy(rights, cluster, queue, candidates, refusals));
        }
        candidates.sort(Comparator.comparing(Workload::id));
        return candidates;
    }

    private void byPolicy(
            QueueRights rights, ClusterState cluster, QueueRef queue, List<Workload> candidates, Refusals refusals) {
        OfQueue ofQueue = state.running().ofQueue(cluster, queue);
        if (ofQueue == null) {
            return;
        }
        String ofAll = rights.refusalOfAll(queue, ofQueue.lowestPriority());
        if (ofAll != null) {
            refusals.add(ofAll, ofQueue.users(rights.scarce()));
            return;
        }
        for (Workload each : ofQueue.workloads()) {
            String refusal = rights.refusal(each);
            if (refusal != null && refusal.isEmpty()) {
                candidates.add(each);
            } else if (refusal != null) {
                refusals.add(refusal);
            }
        }
    }

    /** Who has to give up room that is kept for it: of lower priority, and, in a queue of Kueue, of that queue. */
    private List<Workload> lowerOwners(Workload workload, ClusterState cluster) {
        return kept.owners().stream()
                .filter(owner ->
                        kept.clusterOf(owner).equals(cluster.name()) && owner.priority() < guards.priorityOf(workload))
                .filter(owner ->
                        !workload.queueRef().ofKueue() || owner.queueRef().equals(workload.queueRef()))
                .toList();
    }

    private Result makeRoom(
            Workload workload,
            ClusterState cluster,
            Rights rights,
            List<Workload> candidates,
            List<Workload> owners,
            Refusals refusals) {
        if (!owners.isEmpty() && isPlaced(workload, cluster)) {
            endWhereReserved(owners);
            return Result.RESERVED;
        }
        Absences absences = new Absences(state);
        absences.takeLeaving(cluster);
        try {
            if (isPlaced(workload, cluster)) {
                return keep(workload, cluster, owners, List.of(), "");
            }
            DisruptionBudgets budgets = new DisruptionBudgets(state, cluster);
            List<Spare> allowed = allowed(workload, rights, candidates, absences, budgets, refusals);
            List<? extends VictimRule> rules =
                    rights == null ? List.of(new VictimRule.Priority(allowed)) : rights.ways(allowed, refusals::add);
            for (VictimRule rule : rules) {
                VictimSet victims = new VictimSet(rule, budgets);
                if (found(workload, cluster, victims, absences, refusals)) {
                    return keep(workload, cluster, owners, victims.hit(), rule.reason(victims.hit()));
                }
            }
            return Result.NONE;
        } finally {
            absences.end();
        }
    }

    /** Whether there is room for it and quota; it is reserved then. */
    private boolean isPlaced(Workload workload, ClusterState cluster) {
        if (placer.placeMinimum(workload, cluster) != null) {
            return false;
        }
        if (gate.covered(workload, overlay.reservations()) < overlay.size()) {
            overlay.undoTo(0);
            return false;
        }
        return true;
    }

    private boolean found(
            Workload workload, ClusterState cluster, VictimSet victims, Absences absences, Refusals refusals) {
        if (victims.spares().isEmpty()) {
            return false;
        }
        Profile profile = profiles.of(workload);
        NodeByNode nodeByNode = new NodeByNode(state, profile, overlay, index, absences);
        boolean othersMatter = !state.podTerms().none();
        InternedRequirement uniform = TopologyPlacer.concerns(workload) ? null : workload.uniformWaiting();
        RoomTotal room = uniform == null ? null : index.totals(profile, cluster, uniform);
        VictimSearch search =
                new VictimSearch(placer, overlay, nodeByNode, workload, cluster, victims, room, othersMatter);
        if (search.found()) {
            return true;
        }
        if (search.budgetsForbid()) {
            refusals.add(Guards.Refusal.always(Guards.BUDGET), 0);
        }
        return false;
    }

    private List<Spare> allowed(
            Workload workload,
            Rights rights,
            List<Workload> candidates,
            Absences absences,
            DisruptionBudgets budgets,
            Refusals refusals) {
        List<Spare> allowed = new ArrayList<>();
        for (Workload candidate : candidates) {
            Guards.Refusal refusal = guards.ofVictim(workload, candidate, rights);
            if (refusal == null) {
                allowed.add(new Spare(candidate, absences, budgets, state.timeMillis()));
            } else {
                refusals.add(refusal, 1);
            }
        }
        return allowed;
    }

    /** Room that was kept for others ends where the gang is to go. */
    private void endWhereReserved(List<Workload> owners) {
        Set<NodeState> reserved = new HashSet<>();
        overlay.reservations().forEach(reservation -> reserved.add(reservation.node()));
        for (Workload owner : owners) {
            if (kept.places(owner).stream().anyMatch(place -> reserved.contains(place.node()))) {
                kept.end(owner);
            }
        }
    }

    /** Keeps what is reserved, and decides the evictions. */
    private Result keep(
            Workload workload, ClusterState cluster, List<Workload> owners, List<Spare> hit, String reason) {
        List<Action.Victim> victims = victims(hit);
        if (victims.size() > Victims.MOST) {
            overlay.undoTo(0);
            return Result.NONE;
        }
        endWhereReserved(owners);
        kept.end(workload); // slots of its own, where it lost members: what is kept from now on is enough for it
        if (victims.isEmpty()) {
            long deadlineMillis =
                    state.timeMillis() + state.policy().preemption().roomKeptMillis();
            overlay.keep(workload, cluster.name(), decisions.nextKeptId(), List.of(), deadlineMillis);
            return Result.KEPT;
        }
        long deadlineMillis = state.timeMillis() + state.policy().bindTimeoutMillis();
        DecisionId id = decisions.nextId();
        long attempt = state.nextAttempt(workload);
        overlay.keep(
                workload,
                cluster.name(),
                id,
                victims.stream().map(Action.Victim::uid).toList(),
                deadlineMillis);
        for (Spare spare : hit) {
            if (spare.isWhole() || state.queues().keepsForLater(spare.workload())) {
                state.evicted(spare.workload(), workload, reason);
            }
            state.queues().gaveUp(spare.workload(), spare.gone().size(), spare.isWhole());
        }
        state.countEvictions(workload, victims.size());
        decisions.add(
                workload,
                attempt,
                new Action.Evict(cluster.name(), workload.namespace(), victims, reason, deadlineMillis));
        return Result.KEPT;
    }

    private static List<Action.Victim> victims(List<Spare> hit) {
        Victims victims = new Victims();
        for (Spare spare : hit) {
            spare.gone()
                    .forEach(member -> victims.add(spare.workload(), spare.isWhole(), member, spare.budgetsOf(member)));
        }
        return victims.inOrder();
    }
}
