package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.round.FlavorSearch.Assignment;
import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.round.Glance.Sight;
import dev.muster.scheduler.core.round.Preemption.Refusals;
import dev.muster.scheduler.core.round.QuotaGate.Scope;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * Places the minimums of gangs, whole or not at all: in free room, in room that others leave or are made to leave, with the
 * quota of their queues.
 */
final class Minimums {
    /** A gang is one record, well below a megabyte (DESIGN.md, The state machine). */
    private static final int LARGEST_GANG = 10_000;

    /** With so many assignments of flavors is it tried whether others could go. */
    private static final int MOST_TO_PREEMPT_WITH = 4;

    private final DomainState state;
    private final ClusterAccess access;
    private final KnownRoom known;
    private final Overlay overlay;
    private final KeptRoom kept;
    private final GangPlacer placer;
    private final Preemption preemption;
    private final QuotaGate gate;
    private final GangDecisions decisions;
    private final Sentences sentences;
    /** Null where everybody is looked at closely. */
    private final Glance glance;
    /** Clusters in which the last gang was looked for room. */
    private final List<ClusterState> open = new ArrayList<>();

    /** Queues whose first could start only with borrowed quota, while others might not have to borrow; only looked up. */
    private final Set<QueueRef> letOthersFirst = new HashSet<>();

    /** Gangs that start together, by their names, that were tried in this round; only looked up. */
    private final Set<List<String>> groupsTried = new HashSet<>();

    /** Flavors with which room is kept for the last gang. */
    private SortedMap<String, SortedMap<String, String>> keptWith = Workload.NO_FLAVORS;

    /** The last gang that was not placed found too little room wherever it may go. */
    private boolean roomLacked;

    /** Whom the queue's last refusal concerns. */
    private Scope refused = Scope.ONE;

    /** Why a gang was not placed: too little room in a cluster, or what is to be said; neither where nobody looked. */
    private record Unplaced(ClusterState cluster, Shortage shortage, Reason said) {
        private static Unplaced said(Reason reason) {
            return new Unplaced(null, null, reason);
        }
    }

    /** What became of a gang that was looked at. */
    private enum Fate {
        PLACED,
        WAITS,
        /** It would have to borrow quota: those that need not come before it. */
        LETS_OTHERS_FIRST
    }

    Minimums(RoundParts parts) {
        this.state = parts.state();
        this.access = parts.access();
        this.known = parts.known();
        this.overlay = parts.overlay();
        this.kept = parts.kept();
        this.placer = parts.placer();
        this.preemption = parts.preemption();
        this.gate = parts.gate();
        this.decisions = parts.decisions();
        this.sentences = parts.sentences();
        this.glance = parts.glance();
    }

    /**
     * Goes along the line.
     *
     * @param started takes those that have started, now or before
     * @param roomFreed the line is all that waits, by lanes
     * @param borrowing with borrowed quota too; otherwise those that need it let others go first
     */
    void place(Line line, List<Workload> started, boolean roomFreed, boolean borrowing) {
        for (Workload workload = line.next(); workload != null; workload = line.next()) {
            if (workload.started()) {
                started.add(workload);
                continue;
            }
            switch (fateOf(workload, borrowing)) {
                case PLACED -> started.add(workload);
                case LETS_OTHERS_FIRST -> {
                    letOthersFirst.add(workload.queueRef());
                    line.defer();
                }
                case WAITS -> {
                    sentences.tried(workload);
                    if (roomFreed && noRoomForItsLike(workload)) {
                        sentences.leaveOut(workload, line.leaveLane());
                    }
                }
            }
        }
    }

    private Fate fateOf(Workload workload, boolean borrowing) {
        if (!borrowing && letOthersFirst.contains(workload.queueRef())) {
            return Fate.LETS_OTHERS_FIRST;
        }
        boolean sentence = sentences.wants(workload);
        return switch (sightOf(workload, borrowing, sentence)) {
            case WOULD_BORROW -> Fate.LETS_OTHERS_FIRST;
            case NO_QUOTA -> {
                refused = Scope.ALIKE;
                roomLacked = false;
                yield Fate.WAITS;
            }
            case UNCLEAR -> placeMinimum(workload, sentence, borrowing);
        };
    }

    /** What a glance tells of one that a closer look would not have to refuse before it comes to quota. */
    private Sight sightOf(Workload workload, boolean borrowing, boolean sentence) {
        Sight sight = glance == null ? Sight.UNCLEAR : glance.of(workload, gate, borrowing, sentence);
        boolean usual = sight != Sight.UNCLEAR
                && workload.minMember() - workload.ready() <= LARGEST_GANG
                && access.mayUseAny(workload);
        return usual ? sight : Sight.UNCLEAR;
    }

    /** One that was passed over, to be told why it waits. */
    void placeLeftOut(Workload workload) {
        placeMinimum(workload, true, true);
    }

    /**
     * Places the minimum if it may be placed now, in free room or in room that others of lower priority had: with borrowed
     * quota only where that is allowed yet.
     */
    private Fate placeMinimum(Workload workload, boolean sentence, boolean borrowing) {
        state.queues().release(workload);
        kept.lift(workload);
        keptWith = workload.flavors();
        if (kept.isFor(workload)) {
            state.queues().forgetFlavors(workload);
        }
        open.clear();
        Fate fate = lookAt(workload, sentence, borrowing);
        boolean keeps = fate == Fate.LETS_OTHERS_FIRST || fate == Fate.WAITS && kept.isSlotsOf(workload);
        if (keeps && kept.isFor(workload)) {
            state.queues().give(workload, keptWith);
            kept.putBack(workload);
        } else if (fate == Fate.WAITS && kept.isFor(workload) && open.isEmpty()) {
            kept.end(workload);
        }
        state.queues().settle(workload);
        return fate;
    }

    private Fate lookAt(Workload workload, boolean sentence, boolean borrowing) {
        roomLacked = false;
        refused = Scope.ONE;
        int missing = workload.minMember() - workload.ready();
        if (missing > LARGEST_GANG) {
            state.explain(workload, tooLarge(missing));
            return Fate.WAITS;
        }
        if (!workload.startsWith().isEmpty() && workload.ready() == 0) {
            return placeGroup(workload) ? Fate.PLACED : Fate.WAITS;
        }
        List<ClusterState> clusters = access.clustersFor(workload);
        if (clusters.isEmpty()) {
            state.explain(workload, ClusterAccess.notSynced(workload));
            return Fate.WAITS;
        }
        QuotaGate.Answer answer = gate.minimum(workload);
        if (answer.refusal() != null) {
            return placeWithoutQuota(workload, clusters, answer, sentence, borrowing);
        }
        SortedMap<String, SortedMap<String, String>> before = workload.flavors();
        Unplaced left = null;
        boolean mightBorrow = false;
        int preempted = 0;
        for (Assignment assignment : answer.assignments()) {
            if (assignment.borrows() && !borrowing) {
                mightBorrow = true;
                break;
            }
            state.queues().give(workload, assignment.flavors());
            if (assignment.byPreemption()) {
                openUp(workload, clusters);
                if (++preempted <= MOST_TO_PREEMPT_WITH && placeByPreemption(workload)) {
                    return workload.started() ? Fate.PLACED : Fate.WAITS;
                }
                continue;
            }
            Unplaced lacking = placeMinimum(workload, clusters, missing, sentence);
            if (lacking == null) {
                return Fate.PLACED;
            }
            left = left == null ? lacking : left;
        }
        if (mightBorrow) {
            state.queues().give(workload, before);
            return Fate.LETS_OTHERS_FIRST;
        }
        roomLacked = preempted == 0 && left.said() == null;
        state.queues().give(workload, answer.assignments().getFirst().flavors());
        boolean settled = preempted == 0 && placeByPreemption(workload);
        if (settled && workload.started()) {
            return Fate.PLACED;
        }
        if (settled) {
            return Fate.WAITS;
        }
        state.queues().give(workload, before);
        if (left.said() != null) {
            state.explain(workload, left.said());
        } else if (left.shortage() != null && sentence) {
            sentences.noRoom(workload, left.cluster(), left.shortage(), true);
        }
        return Fate.WAITS;
    }

    /** Places the minimum in the first cluster that has room for it; null where one had. */
    private Unplaced placeMinimum(Workload workload, List<ClusterState> clusters, int missing, boolean sentence) {
        Reason closed = null;
        Unplaced left = null;
        for (ClusterState cluster : clusters) {
            if (!access.open(cluster, workload)) {
                closed = ClusterAccess.closed(workload, cluster);
                left = null;
                continue;
            }
            open.add(cluster);
            InternedRequirement alike = known.alike(workload, cluster);
            Shortage shortage = kept.isFor(workload) ? null : known.shortage(workload, alike, cluster, missing);
            if (shortage == null && !sentence && KnownRoom.tooFewGpus(workload, cluster, missing)) {
                continue;
            }
            if (shortage == null) {
                shortage = placer.placeMinimum(workload, cluster);
                List<Reservation> reserved = shortage == null ? overlay.reservations() : List.of();
                if (shortage == null && gate.covered(workload, reserved) == reserved.size()) {
                    decisions.place(workload, cluster, reserved);
                    return null;
                }
                if (shortage == null) {
                    overlay.undoTo(0);
                    return Unplaced.said(QuotaReasons.notCovered(workload.queue()));
                }
                if (alike != null) {
                    known.remember(cluster, shortage.requirement(), shortage.found());
                }
            }
            left = new Unplaced(cluster, shortage, null);
        }
        return left != null ? left : Unplaced.said(closed);
    }

    /** The queue has no quota for it: whether others are to go that use it, by the queue's policies. */
    private Fate placeWithoutQuota(
            Workload workload,
            List<ClusterState> clusters,
            QuotaGate.Answer answer,
            boolean sentence,
            boolean borrowing) {
        refused = answer.scope();
        boolean preempts =
                !answer.ifOthersGo().isEmpty() && (kept.isFor(workload) || sentence || gate.mayPreempt(workload));
        if (preempts && !borrowing && answer.ifOthersGo().getFirst().borrows()) {
            return Fate.LETS_OTHERS_FIRST;
        }
        SortedMap<String, SortedMap<String, String>> before = workload.flavors();
        Refusals said = null;
        if (preempts) {
            openUp(workload, clusters);
            roomLacked = true;
            for (Assignment assignment :
                    answer.ifOthersGo().stream().limit(MOST_TO_PREEMPT_WITH).toList()) {
                state.queues().give(workload, assignment.flavors());
                if (placeByPreemption(workload)) {
                    refused = Scope.ONE;
                    return workload.started() ? Fate.PLACED : Fate.WAITS;
                }
                Refusals byGuards = sentences.takeRefusals(workload);
                said = said == null ? byGuards : said;
            }
            refused = roomLacked ? refused : Scope.ONE;
            roomLacked = false;
            state.queues().give(workload, before);
        }
        if (sentence || !workload.reason().code().equals(answer.refusal().code())) {
            state.explain(workload, Explainer.withRefusals(answer.refusal(), said));
        }
        return Fate.WAITS;
    }

    /** Where others might make room for it. */
    private void openUp(Workload workload, List<ClusterState> clusters) {
        open.clear();
        clusters.stream().filter(cluster -> access.open(cluster, workload)).forEach(open::add);
    }

    /** There is quota with the flavors given now, and no free room: whether room is made for it, or being made. */
    private boolean placeByPreemption(Workload workload) {
        if (kept.isFor(workload) && !kept.isSlotsOf(workload)) {
            if (access.mayUse(workload, state.cluster(kept.clusterOf(workload)))
                    && preemption.worthWaitingFor(workload)) {
                state.queues().give(workload, keptWith);
                kept.putBack(workload);
                waitForEvictions(workload);
                return true;
            }
            kept.end(workload);
        }
        return !open.isEmpty() && makeRoom(workload);
    }

    /** Looks for room that others of lower priority have; whether there is nothing more to say. */
    private boolean makeRoom(Workload workload) {
        Refusals refused = new Refusals();
        boolean hopeless = true;
        for (ClusterState cluster : List.copyOf(open)) {
            switch (preemption.makeRoom(workload, cluster, refused)) {
                case RESERVED -> {
                    decisions.place(workload, cluster);
                    return true;
                }
                case KEPT -> {
                    waitForEvictions(workload);
                    return true;
                }
                case NONE -> hopeless = false;
                case HOPELESS -> {}
            }
        }
        roomLacked &= hopeless;
        state.lookAgainAt(refused.untilMillis());
        if (!refused.byGuard().isEmpty()) {
            sentences.refused(workload, refused);
        }
        return false;
    }

    private void waitForEvictions(Workload workload) {
        roomLacked = false;
        state.explain(workload, preemption.awaiting(workload));
    }

    /** The minimums of all gangs that start together, or none: each becomes a decision of its own, in one entry. */
    private boolean placeGroup(Workload workload) {
        if (groupsTried.contains(workload.startsWith())) {
            return false;
        }
        ClusterState cluster = state.cluster(workload.cluster());
        GangGroup group = GangGroup.of(workload, state);
        if (group.fault() != null) {
            state.explain(workload, group.fault());
            return false;
        }
        groupsTried.add(workload.startsWith());
        List<List<Reservation>> placed = new ArrayList<>();
        for (Workload gang : group.waiting()) {
            Reason refusal = refusal(gang, cluster);
            Shortage shortage = refusal == null ? placer.placeMinimum(gang, cluster) : null;
            if (refusal != null || shortage != null) {
                overlay.undoTo(0);
                group.waiting().forEach(state.queues()::settle);
                group.waiting().forEach(other -> state.explain(other, GangGroup.reasonBesides(gang)));
                if (refusal != null) {
                    state.explain(gang, refusal);
                } else {
                    sentences.noRoom(gang, cluster, shortage, true);
                }
                return false;
            }
            int before = placed.stream().mapToInt(List::size).sum();
            placed.add(overlay.reservations().subList(before, overlay.size()));
        }
        if (!gate.coverTogether(group.waiting(), placed)) {
            overlay.undoTo(0);
            group.waiting().forEach(state.queues()::settle);
            group.waiting().forEach(gang -> state.explain(gang, QuotaReasons.notCovered(gang.queue())));
            return false;
        }
        for (int i = 0; i < placed.size(); i++) {
            decisions.place(group.waiting().get(i), cluster, placed.get(i));
        }
        return true;
    }

    private Reason refusal(Workload gang, ClusterState cluster) {
        if (cluster == null || !access.ready(gang, cluster)) {
            return ClusterAccess.notSynced(gang);
        }
        int missing = gang.minMember() - gang.ready();
        if (missing > LARGEST_GANG) {
            return tooLarge(missing);
        }
        if (!access.open(cluster, gang)) {
            return ClusterAccess.closed(gang, cluster);
        }
        QuotaGate.Answer answer = gate.minimum(gang);
        if (answer.refusal() == null) {
            answer.assignments().stream()
                    .filter(assignment -> !assignment.byPreemption())
                    .findFirst()
                    .ifPresent(assignment -> state.queues().give(gang, assignment.flavors()));
        }
        return answer.refusal();
    }

    /**
     * Whether there is no room either for those behind it that miss as many pods of the same kind. It must need no more than
     * it misses: while none of its members is placed, its roles' minimums are within the gang's. The same where it is the
     * queue that has no quota for it, or lets nothing start.
     */
    private boolean noRoomForItsLike(Workload workload) {
        if (refused == Scope.QUEUE) {
            return true;
        }
        // Pod sets of a workload may have different flavors: one of several is like none with one.
        boolean comparable = workload.ready() == 0
                && (!workload.queueRef().ofKueue() || workload.podSetsInOrder().size() == 1);
        return comparable
                && (refused == Scope.ALIKE && workload.uniformWaiting() != null
                        || roomLacked && known.alikeEverywhere(workload));
    }

    private static Reason tooLarge(int missing) {
        String message =
                missing + " pods must start together; a gang is one decision of at most " + LARGEST_GANG + " pods";
        return new Reason(ReasonCodes.GANG_TOO_LARGE, message, List.of());
    }
}
