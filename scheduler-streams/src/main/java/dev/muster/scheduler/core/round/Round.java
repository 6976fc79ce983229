package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlacedPodSet;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.round.FlavorSearch.Assignment;
import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.round.Preemption.Refusals;
import dev.muster.scheduler.core.round.QuotaGate.Scope;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Members;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Revocations;
import dev.muster.scheduler.core.state.Workload;
import dev.muster.scheduler.core.state.Workload.QueueKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** One scheduling round, run when a tick says so. */
final class Round {
    /** A gang is one record, well below a megabyte (DESIGN.md, The state machine). */
    private static final int LARGEST_GANG = 10_000;

    private static final int SURPLUS_PER_DECISION = 1_000;

    /** So many of those that wait anyway get the numbers of this round into their sentences, in their order. */
    private static final int SENTENCES = 32;

    /** So many of those that were passed over do, wherever this round looks. */
    private static final int LATER_SENTENCES = 16;

    /** Of those that were looked at in vain, one in so many does. */
    private static final int ONE_IN = 256;

    private static final int MOST_PRIORITIES = 16;

    /** With so many assignments of flavors is it tried whether others could go. */
    private static final int MOST_TO_PREEMPT_WITH = 4;

    /** Odd, and far from any power of two: its multiples lie all over the place. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private static final Comparator<MemberPlacement> BY_RANK = Comparator.comparingInt(MemberPlacement::podSet)
            .thenComparingInt(MemberPlacement::index)
            .thenComparing(MemberPlacement::name)
            .thenComparing(MemberPlacement::uid);

    private static final WorkloadId NO_ID = new WorkloadId("");

    private final DomainState state;
    private final Revocations revocations;
    private final Decisions decisions;
    private final Overlay overlay;
    private final KeptRoom kept;
    private final GangPlacer placer;
    private final Preemption preemption;
    private final QuotaGate gate;
    private final Explainer explainer;
    private final Map<Known, Integer> knownRoom = new HashMap<>();
    private final List<Unplaced> unplaced = new ArrayList<>();
    private final Map<InCluster, Boolean> openQueues = new HashMap<>();
    /** What something happened to since the last round; only looked up. */
    private final Set<Workload> news = new HashSet<>();

    /** What guards refused for workloads that wait; only looked up. */
    private final Map<Workload, Refusals> refusals = new HashMap<>();
    /** Clusters in which the last gang was looked for room. */
    private final List<ClusterState> open = new ArrayList<>();

    /** Flavors with which room is kept for the last gang. */
    private SortedMap<String, SortedMap<String, String>> keptWith = Workload.NO_FLAVORS;

    private int sentences;
    /** The last gang that was not placed found too little room wherever it may go. */
    private boolean roomLacked;

    /** Whom the queue's last refusal concerns. */
    private Scope refused = Scope.ONE;

    private boolean anyLeftOut;
    /** Gangs that were tried in vain; only looked up. */
    private final Set<Workload> tried = new HashSet<>();
    /** Queues whose first could start only with borrowed quota, while others might not have to borrow; only looked up. */
    private final Set<String> letOthersFirst = new HashSet<>();
    /** Gangs that were not tried, since others like them found no room. */
    private final Set<Workload> leftOut = new LinkedHashSet<>();

    /** A kind of pod in a cluster. */
    private record Known(ClusterState cluster, InternedRequirement requirement) {}

    /** A queue in a cluster. */
    private record InCluster(ClusterState cluster, String queue) {}

    /** Gangs that start together, by their names, that were tried in this round; only looked up. */
    private final Set<List<String>> groupsTried = new HashSet<>();

    /** What is said of a workload in the end, when all that fits has been placed. */
    private record Unplaced(Workload workload, ClusterState cluster, Shortage shortage, boolean gang, Reason said) {
        /** Of one for which there is more to say than that there is no room; null where nobody looked. */
        private static Unplaced said(Workload workload, Reason reason) {
            return new Unplaced(workload, null, null, true, reason);
        }
    }

    Round(
            DomainState state,
            Members members,
            Revocations revocations,
            Decisions decisions,
            Profiles profiles,
            CandidateIndex candidates) {
        Profile profile = profiles.usual(state.policy());
        this.state = state;
        this.revocations = revocations;
        this.decisions = decisions;
        this.overlay = new Overlay(state, members);
        this.kept = members.kept();
        this.placer = new GangPlacer(state, profiles, overlay, candidates);
        this.gate = new QuotaGate(state);
        this.preemption = new Preemption(state, kept, profiles, overlay, placer, candidates, gate, decisions);
        this.explainer = new Explainer(state, profile);
    }

    /** What became of a gang that was looked at. */
    private enum Fate {
        PLACED,
        WAITS,
        /** It would have to borrow quota: those that need not come before it. */
        LETS_OTHERS_FIRST
    }

    void run() {
        // 1. What is overdue is taken back.
        for (Revocations.Pending pending : revocations.due()) {
            decisions.add(pending.workload(), pending.attempt(), pending.action());
        }
        // 2. Whoever waited long enough after a failure may try again, and GPUs whose signals have had their time
        // return.
        state.endBackoffs();
        state.ageHealthSignals();
        state.lookAgainIfDue();
        // 3. Everything that waits is worth a look when room became free, otherwise only what is new.
        List<Workload> marked = List.copyOf(state.marked().values());
        boolean roomFreed = state.roomFreed();
        Line line = roomFreed ? new Line(state.lanes()) : Line.of(marked);
        news.addAll(marked);
        state.clearMarks();
        state.queues().roundBegins();
        // 4. Minimums, in the order of priority and arrival: whole gangs or nothing. Who borrows no quota goes first.
        List<Workload> started = new ArrayList<>();
        placeMinimums(line, started, roomFreed, false);
        line.again();
        placeMinimums(line, started, roomFreed, true);
        leftOutToTell().forEach(workload -> placeMinimum(workload, true, true));
        // 5. Surplus members, once every gang had its chance.
        for (Workload workload : started) {
            if (workload.count(Member.Phase.WAITING) > 0) {
                state.queues().release(workload);
                placeSurplus(workload);
                state.queues().settle(workload);
            }
        }
        preemption.end();
        // Those that found no room are told why, by what is free now.
        for (Unplaced left : unplaced) {
            Reason reason = explainer.noRoom(left.cluster(), left.shortage(), left.gang());
            Reason said = Explainer.withRefusals(reason, refusals.get(left.workload()));
            boolean withQuota = left.workload().queueRef().ofKueue();
            state.explain(left.workload(), withQuota ? QuotaReasons.withQuota(left.workload(), said) : said);
        }
    }

    private void placeMinimums(Line line, List<Workload> started, boolean roomFreed, boolean borrowing) {
        for (Workload workload = line.next(); workload != null; workload = line.next()) {
            if (workload.started()) {
                started.add(workload);
                continue;
            }
            String queue = workload.queueRef().key();
            Fate fate = !borrowing && letOthersFirst.contains(queue)
                    ? Fate.LETS_OTHERS_FIRST
                    : placeMinimum(workload, wantsSentence(workload), borrowing);
            switch (fate) {
                case PLACED -> started.add(workload);
                case LETS_OTHERS_FIRST -> {
                    letOthersFirst.add(queue);
                    line.defer();
                }
                case WAITS -> {
                    tried.add(workload);
                    if (roomFreed && noRoomForItsLike(workload)) {
                        leaveOut(workload, line.leaveLane());
                    }
                }
            }
        }
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
        if (fate == Fate.LETS_OTHERS_FIRST && kept.isFor(workload)) {
            state.queues().give(workload, keptWith);
            kept.putBack(workload);
        } else if (fate == Fate.WAITS && kept.isFor(workload) && open.isEmpty()) {
            kept.end(workload);
        }
        state.queues().settle(workload);
        return fate;
    }

    /** There is quota with the flavors given now, and no free room: whether room is made for it, or being made. */
    private boolean placeByPreemption(Workload workload) {
        if (kept.isFor(workload)) {
            if (mayUse(workload, state.cluster(kept.clusterOf(workload))) && preemption.worthWaitingFor(workload)) {
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
                    decide(workload, cluster, true, overlay.reservations());
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
            refusals.put(workload, refused);
        }
        return false;
    }

    private void waitForEvictions(Workload workload) {
        roomLacked = false;
        state.explain(workload, preemption.awaiting(workload));
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
            clusters.stream().filter(cluster -> open(cluster, workload)).forEach(open::add);
            roomLacked = true;
            for (Assignment assignment :
                    answer.ifOthersGo().stream().limit(MOST_TO_PREEMPT_WITH).toList()) {
                state.queues().give(workload, assignment.flavors());
                if (placeByPreemption(workload)) {
                    refused = Scope.ONE;
                    return workload.started() ? Fate.PLACED : Fate.WAITS;
                }
                said = said == null ? refusals.get(workload) : said;
                refusals.remove(workload);
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
        List<ClusterState> clusters = state.clusters().stream()
                .filter(cluster -> mayUse(workload, cluster))
                .toList();
        if (clusters.isEmpty()) {
            state.explain(workload, notSynced(workload));
            return Fate.WAITS;
        }
        QuotaGate.Answer answer = gate.minimum(workload);
        if (answer.refusal() != null) {
            return placeWithoutQuota(workload, clusters, answer, sentence, borrowing);
        }
        SortedMap<String, SortedMap<String, String>> before = workload.flavors();
        Unplaced left = null;
        boolean mightBorrow = false;
        for (Assignment assignment : answer.assignments()) {
            if (assignment.borrows() && !borrowing) {
                mightBorrow = true;
                break;
            }
            state.queues().give(workload, assignment.flavors());
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
        roomLacked = left.said() == null;
        state.queues().give(workload, answer.assignments().getFirst().flavors());
        boolean settled = placeByPreemption(workload);
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
            unplaced.add(left);
        }
        return Fate.WAITS;
    }

    /** Places the minimum in the first cluster that has room for it; null where one had. */
    private Unplaced placeMinimum(Workload workload, List<ClusterState> clusters, int missing, boolean sentence) {
        Reason closed = null;
        Unplaced left = null;
        for (ClusterState cluster : clusters) {
            if (!open(cluster, workload)) {
                closed = closed(workload, cluster);
                left = null;
                continue;
            }
            open.add(cluster);
            InternedRequirement alike = alike(workload, cluster);
            Shortage shortage = kept.isFor(workload) ? null : knownShortage(workload, alike, cluster, missing);
            if (shortage == null && !sentence && tooFewGpus(workload, cluster, missing)) {
                continue;
            }
            if (shortage == null) {
                shortage = placer.placeMinimum(workload, cluster);
                if (shortage == null && gate.covered(workload, overlay.reservations()) == overlay.size()) {
                    decide(workload, cluster, true, overlay.reservations());
                    return null;
                }
                if (shortage == null) {
                    overlay.undoTo(0);
                    return Unplaced.said(workload, QuotaReasons.notCovered(workload.queue()));
                }
                if (alike != null) {
                    remember(cluster, shortage.requirement(), shortage.found());
                }
            }
            left = new Unplaced(workload, cluster, shortage, true, null);
        }
        return left != null ? left : Unplaced.said(workload, closed);
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
                    unplaced.add(new Unplaced(gang, cluster, shortage, true, null));
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
            decide(group.waiting().get(i), cluster, true, placed.get(i));
        }
        return true;
    }

    private Reason refusal(Workload gang, ClusterState cluster) {
        if (cluster == null || !ready(gang, cluster)) {
            return notSynced(gang);
        }
        int missing = gang.minMember() - gang.ready();
        if (missing > LARGEST_GANG) {
            return tooLarge(missing);
        }
        if (!open(cluster, gang)) {
            return closed(gang, cluster);
        }
        QuotaGate.Answer answer = gate.minimum(gang);
        if (answer.refusal() == null) {
            state.queues().give(gang, answer.assignments().getFirst().flavors());
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
                        || roomLacked && alikeEverywhere(workload));
    }

    /** Passes over those behind a workload that found no room. All are told, when it was not told so far itself. */
    private void leaveOut(Workload first, Iterator<Workload> behind) {
        anyLeftOut = true;
        if (!saysNoRoom(first)) {
            behind.forEachRemaining(leftOut::add);
        }
    }

    /** Who of those that were passed over gets a sentence: the new, those ahead in the order, and some in turn. */
    private List<Workload> leftOutToTell() {
        if (!anyLeftOut) {
            return List.of();
        }
        leftOut.addAll(news);
        Iterator<Workload> ahead = state.placeable().values().iterator();
        for (int i = 0; i < SENTENCES && ahead.hasNext(); i++) {
            leftOut.add(ahead.next());
        }
        Iterator<Workload> later =
                state.placeable().tailMap(somewhere(), true).values().iterator();
        for (int i = 0; i < LATER_SENTENCES && later.hasNext(); i++) {
            leftOut.add(later.next());
        }
        return leftOut.stream()
                .filter(workload -> !workload.started() && workload.place() != null && !tried.contains(workload))
                .toList();
    }

    /** A place in the order that moves about from round to round: one of the priorities, and an arrival. */
    private QueueKey somewhere() {
        List<Integer> priorities = new ArrayList<>();
        QueueKey key = state.placeable().firstKey();
        while (key != null && priorities.size() < MOST_PRIORITIES) {
            priorities.add(key.priority());
            key = state.placeable().higherKey(new QueueKey(key.priority(), Long.MAX_VALUE, NO_ID));
        }
        long sequence = state.nextSequence();
        int priority = priorities.get((int) (sequence % priorities.size()));
        return new QueueKey(priority, Math.floorMod(sequence * SCATTER, sequence + 1), NO_ID);
    }

    private void placeSurplus(Workload workload) {
        ClusterState cluster = state.cluster(workload.cluster());
        if (cluster == null || !ready(workload, cluster)) {
            return;
        }
        if (!open(cluster, workload)) {
            state.explain(workload, closed(workload, cluster));
            return;
        }
        QuotaGate.Answer answer = gate.surplus(workload);
        if (answer.refusal() != null) {
            state.explain(workload, answer.refusal());
            return;
        }
        SortedMap<String, SortedMap<String, String>> before = workload.flavors();
        state.queues().give(workload, answer.assignments().getFirst().flavors());
        InternedRequirement uniform = workload.uniformWaiting();
        boolean alike = alike(workload, cluster) != null;
        Integer room = alike ? knownRoom.get(new Known(cluster, uniform)) : null;
        boolean none = room != null && room == 0 || tooFewGpus(workload, cluster, 1);
        Shortage shortage = none
                ? new Shortage(uniform, workload.count(Member.Phase.WAITING), 0, 0)
                : placer.placeSurplus(workload, cluster);
        if (shortage != null) {
            if (alike) {
                remember(cluster, uniform, 0);
            }
            if (wantsSentence(workload)) {
                unplaced.add(new Unplaced(workload, cluster, shortage, false, null));
            }
        }
        int covered = gate.covered(workload, overlay.reservations());
        if (covered < overlay.size()) {
            overlay.undoTo(covered);
            state.explain(workload, QuotaReasons.notCovered(workload.queue()));
        }
        if (covered == 0) {
            state.queues().give(workload, before);
        }
        for (List<Reservation> part : parts(overlay.reservations())) {
            decide(workload, cluster, false, part);
        }
    }

    /**
     * Whether its sentence is worked out in this round, should it find no room. With a long queue not everybody's is: who is
     * new or has another reason so far, who is ahead in the order, and some of the others in turn.
     */
    private boolean wantsSentence(Workload workload) {
        if (!saysNoRoom(workload) || news.contains(workload)) {
            return true;
        }
        sentences++;
        return sentences <= SENTENCES || Math.floorMod(workload.arrivedSequence() + state.nextSequence(), ONE_IN) == 0;
    }

    private static boolean saysNoRoom(Workload workload) {
        String code = workload.reason().code();
        return code.equals(ReasonCodes.NOT_ENOUGH_ROOM)
                || code.equals(ReasonCodes.EXCEEDS_CLUSTER)
                || code.equals(ReasonCodes.WAITING_FOR_QUOTA)
                || code.equals(ReasonCodes.BEHIND_IN_QUEUE);
    }

    private boolean mayUse(Workload workload, ClusterState cluster) {
        boolean allowed = workload.cluster().isEmpty() || workload.cluster().equals(cluster.name());
        return allowed && ready(workload, cluster);
    }

    /** Whether all that its placement looks at has been listed: of the topology only what it asks about. */
    private boolean ready(Workload workload, ClusterState cluster) {
        if (!cluster.synced() || !state.podTerms().ready(cluster)) {
            return false;
        }
        if (workload.queueRef().ofKueue() && !Kinds.QUOTA.stream().allMatch(cluster::listed)) {
            return false;
        }
        if (!TopologyPlacer.concerns(workload)) {
            return true;
        }
        return cluster.listed(Kinds.TOPOLOGY)
                && cluster.listed(Kinds.HYPER_NODE)
                && (workload.kind() != WorkloadKind.KAI_POD_GROUP || cluster.listed(Kinds.KAI_TOPOLOGY));
    }

    private boolean open(ClusterState cluster, Workload workload) {
        return workload.queueRef().ofKueue()
                || openQueues.computeIfAbsent(
                        new InCluster(cluster, workload.queue()),
                        asked -> state.queueOpen(cluster.name(), workload.queue()));
    }

    /** Surplus members stand alone: a decision names so many of them that its record stays small. */
    private static List<List<Reservation>> parts(List<Reservation> reservations) {
        List<List<Reservation>> parts = new ArrayList<>();
        for (int from = 0; from < reservations.size(); from += SURPLUS_PER_DECISION) {
            parts.add(reservations.subList(from, Math.min(from + SURPLUS_PER_DECISION, reservations.size())));
        }
        return parts;
    }

    private static Reason closed(Workload workload, ClusterState cluster) {
        String message = "queue " + workload.queue() + " of cluster " + cluster.name() + " is closed";
        return new Reason(ReasonCodes.QUEUE_CLOSED, message, List.of());
    }

    private static Reason tooLarge(int missing) {
        String message =
                missing + " pods must start together; a gang is one decision of at most " + LARGEST_GANG + " pods";
        return new Reason(ReasonCodes.GANG_TOO_LARGE, message, List.of());
    }

    private static Reason notSynced(Workload workload) {
        String which = workload.cluster().isEmpty() ? "no member cluster" : "cluster " + workload.cluster() + " not";
        return new Reason(
                ReasonCodes.CLUSTER_NOT_SYNCED,
                which + " has been listed whole yet: nothing is placed there",
                List.of());
    }

    private boolean alikeEverywhere(Workload workload) {
        for (ClusterState cluster : state.clusters()) {
            if (mayUse(workload, cluster) && alike(workload, cluster) == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * Within a round room only shrinks: where a gang of such pods found room for no more than n of them, a later one that
     * needs more than n need not be tried.
     */
    private Shortage knownShortage(Workload workload, InternedRequirement alike, ClusterState cluster, int needed) {
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform == null) {
            return null;
        }
        Integer room = alike == null ? null : knownRoom.get(new Known(cluster, alike));
        if (room == null && uniform.gpus() > 0 && cluster.mostPodsOf(uniform.gpus()) == 0) {
            room = 0;
        }
        return room != null && needed > room ? new Shortage(uniform, needed, room, room) : null;
    }

    /**
     * The requirement that all waiting members share, where nothing but room decides where they fit; null where they differ
     * or other pods or volumes have a say: what was found for some says nothing of others then.
     */
    private InternedRequirement alike(Workload workload, ClusterState cluster) {
        if (TopologyPlacer.concerns(workload)) {
            return null;
        }
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform != null && !uniform.requirement().claims().isEmpty()) {
            return null;
        }
        if (uniform == null || state.podTerms().none()) {
            return uniform;
        }
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.waiting()) {
                if (state.podTerms().restricts(uniform, state.podTerms().stance(member, cluster))) {
                    return null;
                }
            }
        }
        return uniform;
    }

    /** Whether free GPUs alone tell that no more than too few of its pods can fit. */
    private static boolean tooFewGpus(Workload workload, ClusterState cluster, int needed) {
        InternedRequirement uniform = workload.uniformWaiting();
        return uniform != null && uniform.gpus() > 0 && cluster.mostPodsOf(uniform.gpus()) < needed;
    }

    private void remember(ClusterState cluster, InternedRequirement requirement, int room) {
        knownRoom.merge(new Known(cluster, requirement), room, Math::min);
    }

    /** Makes what is reserved one decision and its hold. */
    private void decide(Workload workload, ClusterState cluster, boolean gang, List<Reservation> reserved) {
        kept.end(workload);
        boolean volumes =
                reserved.stream().anyMatch(reservation -> !reservation.claims().isEmpty());
        long deadlineMillis = state.timeMillis()
                + state.policy().bindTimeoutMillis()
                + (volumes ? state.policy().volumeBindTimeoutMillis() : 0);
        List<PodSet> podSets = workload.podSetsInOrder();
        TreeMap<String, List<Reservation>> byNode = new TreeMap<>();
        for (Reservation reservation : reserved) {
            byNode.computeIfAbsent(reservation.node().id().name(), name -> new ArrayList<>())
                    .add(reservation);
        }
        List<NodePlacement> nodes = new ArrayList<>(byNode.size());
        byNode.forEach((node, placed) -> {
            String uid = placed.getFirst().node().origin().uid();
            nodes.add(new NodePlacement(node, uid, members(placed, podSets)));
        });
        List<PlacedPodSet> placedPodSets = new ArrayList<>(podSets.size());
        podSets.forEach(podSet -> placedPodSets.add(new PlacedPodSet(podSet.name(), podSet.templateHash())));
        long attempt = state.nextAttempt(workload);
        overlay.commit(workload, cluster.name(), decisions.nextId(), gang, deadlineMillis, reserved);
        decisions.add(
                workload,
                attempt,
                new Action.PlaceGang(
                        cluster.name(),
                        workload.namespace(),
                        gang,
                        workload.createsPods(),
                        placedPodSets,
                        nodes,
                        deadlineMillis));
    }

    private static List<MemberPlacement> members(List<Reservation> reserved, List<PodSet> podSets) {
        List<MemberPlacement> members = new ArrayList<>(reserved.size());
        for (Reservation reservation : reserved) {
            Member member = reservation.member();
            members.add(new MemberPlacement(
                    podSets.indexOf(member.podSet()),
                    member.index(),
                    member.name(),
                    member.podUid(),
                    Devices.list(reservation.devices()),
                    reservation.numa(),
                    reservation.claims()));
        }
        members.sort(BY_RANK);
        return members;
    }
}
