package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Places surplus members of gangs that started, gang by gang. */
final class Surplus {
    private final DomainState state;
    private final ClusterAccess access;
    private final KnownRoom known;
    private final Overlay overlay;
    private final GangPlacer placer;
    private final QuotaGate gate;
    private final GangDecisions decisions;
    private final Sentences sentences;

    Surplus(RoundParts parts) {
        this.state = parts.state();
        this.access = parts.access();
        this.known = parts.known();
        this.overlay = parts.overlay();
        this.placer = parts.placer();
        this.gate = parts.gate();
        this.decisions = parts.decisions();
        this.sentences = parts.sentences();
    }

    /**
     * Those that started, one after the other; where the policy says so, jobs of one Volcano Queue and of one priority together,
     * when it is the turn of the first of them.
     */
    void place(List<Workload> started) {
        Map<String, List<Workload>> together = new LinkedHashMap<>();
        for (Workload workload : started) {
            if (workload.count(Member.Phase.WAITING) > 0) {
                together.computeIfAbsent(groupOf(workload), key -> new ArrayList<>())
                        .add(workload);
            }
        }
        for (List<Workload> group : together.values()) {
            if (group.size() == 1) {
                place(group.getFirst(), Integer.MAX_VALUE);
            } else {
                new DominantShares(state.queues().volcanoShares(), this::place).grow(group);
            }
        }
    }

    /** Gangs that ask for a place in the topology are placed by domains, not pod by pod. */
    private String groupOf(Workload workload) {
        boolean shares = state.policy().fairSharing().drf()
                && !workload.queueRef().ofKueue()
                && !TopologyPlacer.concerns(workload);
        return shares
                ? workload.queueRef().key() + "\n" + workload.priority()
                : workload.id().value();
    }

    /** As many of its waiting members as there are quota and room for, and no more than asked for; how many. */
    private int place(Workload workload, int most) {
        state.queues().release(workload);
        int placed = placeSurplus(workload, most);
        state.queues().settle(workload);
        return placed;
    }

    private int placeSurplus(Workload workload, int most) {
        ClusterState cluster = state.cluster(workload.cluster());
        if (cluster == null || !access.ready(workload, cluster)) {
            return 0;
        }
        if (!access.open(cluster, workload)) {
            state.explain(workload, ClusterAccess.closed(workload, cluster));
            return 0;
        }
        QuotaGate.Answer answer = gate.surplus(workload);
        if (answer.refusal() != null) {
            state.explain(workload, answer.refusal());
            return 0;
        }
        SortedMap<String, SortedMap<String, String>> before = workload.flavors();
        state.queues().give(workload, answer.assignments().getFirst().flavors());
        InternedRequirement uniform = workload.uniformWaiting();
        boolean alike = known.alike(workload, cluster) != null;
        boolean none = alike && known.none(cluster, uniform) || KnownRoom.tooFewGpus(workload, cluster, 1);
        Shortage shortage = none
                ? new Shortage(uniform, workload.count(Member.Phase.WAITING), 0, 0)
                : placer.placeSurplus(workload, cluster, most);
        if (shortage != null) {
            if (alike) {
                known.remember(cluster, uniform, 0);
            }
            if (sentences.wants(workload)) {
                sentences.noRoom(workload, cluster, shortage, false);
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
        decisions.placeSurplus(workload, cluster);
        return covered;
    }
}
