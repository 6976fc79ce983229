package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Workload;
import java.util.SortedMap;

/** Places surplus members of gangs that started, one by one. */
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

    /** As many of its waiting members as there are quota and room for. */
    void place(Workload workload) {
        state.queues().release(workload);
        placeSurplus(workload);
        state.queues().settle(workload);
    }

    private void placeSurplus(Workload workload) {
        ClusterState cluster = state.cluster(workload.cluster());
        if (cluster == null || !access.ready(workload, cluster)) {
            return;
        }
        if (!access.open(cluster, workload)) {
            state.explain(workload, ClusterAccess.closed(workload, cluster));
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
        boolean alike = known.alike(workload, cluster) != null;
        boolean none = alike && known.none(cluster, uniform) || KnownRoom.tooFewGpus(workload, cluster, 1);
        Shortage shortage = none
                ? new Shortage(uniform, workload.count(Member.Phase.WAITING), 0, 0)
                : placer.placeSurplus(workload, cluster);
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
    }
}
