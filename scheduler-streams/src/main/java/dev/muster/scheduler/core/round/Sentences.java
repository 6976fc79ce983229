package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.round.Preemption.Refusals;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Workload;
import dev.muster.scheduler.core.state.Workload.QueueKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is told in a round why it waits. With a long queue not everybody's sentence is worked out anew: who is new or has
 * another reason so far, who is ahead in the order, and some of the others in turn.
 */
final class Sentences {
    /** So many of those that wait anyway get the numbers of this round into their sentences, in their order. */
    private static final int SENTENCES = 32;

    /** So many of those that were passed over do, wherever this round looks. */
    private static final int LATER_SENTENCES = 16;

    /** Of those that were looked at in vain, one in so many does. */
    private static final int ONE_IN = 256;

    private static final int MOST_PRIORITIES = 16;

    /** Odd, and far from any power of two: its multiples lie all over the place. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private static final WorkloadId NO_ID = new WorkloadId("");

    private final DomainState state;
    private final KeptRoom kept;
    private final Explainer explainer;
    private final List<Unplaced> unplaced = new ArrayList<>();
    /** What something happened to since the last round, in that order. */
    private final Set<Workload> news;

    /** What guards refused for workloads that wait; only looked up. */
    private final Map<Workload, Refusals> refusals = new HashMap<>();
    /** Gangs that were tried in vain; only looked up. */
    private final Set<Workload> tried = new HashSet<>();
    /** Gangs that were not tried, since others like them found no room. */
    private final Set<Workload> leftOut = new LinkedHashSet<>();

    private boolean anyLeftOut;
    private int sentences;

    /** What is said of a workload in the end, when all that fits has been placed: there was too little room. */
    private record Unplaced(Workload workload, ClusterState cluster, Shortage shortage, boolean gang) {}

    Sentences(DomainState state, KeptRoom kept, Explainer explainer, List<Workload> news) {
        this.state = state;
        this.kept = kept;
        this.explainer = explainer;
        this.news = new LinkedHashSet<>(news);
    }

    /**
     * Whether its sentence is worked out in this round, should it find no room. With a long queue not everybody's is: who is
     * new or has another reason so far, who is ahead in the order, and some of the others in turn.
     */
    boolean wants(Workload workload) {
        if (!saysNoRoom(workload) || news.contains(workload)) {
            return true;
        }
        sentences++;
        return sentences <= SENTENCES || Math.floorMod(workload.arrivedSequence() + state.nextSequence(), ONE_IN) == 0;
    }

    /** It was looked at, and waits. */
    void tried(Workload workload) {
        tried.add(workload);
    }

    /** There was too little room for it: said in the end, by what is free then. */
    void noRoom(Workload workload, ClusterState cluster, Shortage shortage, boolean gang) {
        unplaced.add(new Unplaced(workload, cluster, shortage, gang));
    }

    void refused(Workload workload, Refusals byGuards) {
        refusals.put(workload, byGuards);
    }

    /** What guards refused for it so far, null for nothing; forgotten here. */
    Refusals takeRefusals(Workload workload) {
        return refusals.remove(workload);
    }

    /** Passes over those behind a workload that found no room. All are told, when it was not told so far itself. */
    void leaveOut(Workload first, Iterator<Workload> behind) {
        anyLeftOut = true;
        if (!saysNoRoom(first)) {
            behind.forEachRemaining(leftOut::add);
        }
    }

    /** Who of those that were passed over gets a sentence: the new, those ahead in the order, and some in turn. */
    List<Workload> leftOutToTell() {
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

    /** Tells those that found no room why, by what is free now. */
    void tell() {
        for (Unplaced left : unplaced) {
            Reason reason = explainer.noRoom(left.cluster(), left.shortage(), left.gang());
            Reason said = Explainer.withRefusals(reason, refusals.get(left.workload()));
            if (kept.isSlotsOf(left.workload())) {
                said = BrokenGangs.withSlots(said, state.policy().health().eviction());
            }
            boolean withQuota = left.workload().queueRef().ofKueue();
            state.explain(left.workload(), withQuota ? QuotaReasons.withQuota(left.workload(), said) : said);
        }
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

    private static boolean saysNoRoom(Workload workload) {
        String code = workload.reason().code();
        return code.equals(ReasonCodes.NOT_ENOUGH_ROOM)
                || code.equals(ReasonCodes.EXCEEDS_CLUSTER)
                || code.equals(ReasonCodes.WAITING_FOR_QUOTA)
                || code.equals(ReasonCodes.BEHIND_IN_QUEUE);
    }
}
