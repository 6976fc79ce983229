package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Places gangs of equal pods that say nothing of the topology in the nearest domain that holds them, as if they preferred it:
 * pods that start together talk to each other. It asks nothing that was not asked for: where no domain has room, or the
 * operator wants pods spread, they are placed by score.
 */
final class CompactPlacer {
    private final DomainState state;
    private final Overlay overlay;
    private final BatchPlacer batches;
    private final boolean wanted;

    CompactPlacer(DomainState state, Profile profile, Overlay overlay, BatchPlacer batches) {
        this.state = state;
        this.overlay = overlay;
        this.batches = batches;
        this.wanted = !profile.name().equals("spread");
    }

    /** Reserves room for what the minimum lacks; or leaves no trace. */
    boolean place(Workload workload, ClusterState cluster) {
        int missing = workload.minMember() - workload.ready();
        if (!wanted || missing < 2 || !cluster.topologies().given()) {
            return false;
        }
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform == null
                || !state.podTerms().none()
                || !uniform.requirement().claims().isEmpty()
                || !uniform.requirement().preferredTerms().isEmpty()) {
            return false; // what they say of nodes, or of other pods, goes before
        }
        Together together = new Together(state.podTerms(), overlay, batches, cluster);
        List<Member> placed = new ArrayList<>();
        if (workload.ready() > 0) {
            workload.podSetsInOrder()
                    .forEach(podSet ->
                            podSet.members().stream().filter(Member::isPlaced).forEach(placed::add));
        }
        return together.place(needed(workload), Wish.nearest(cluster), placed, null);
    }

    /** Each role's own minimum, then others in the order of the roles' priority. */
    private static List<Member> needed(Workload workload) {
        Minimum minimum = new Minimum(workload);
        List<Member> needed = new ArrayList<>();
        List<Member> others = new ArrayList<>();
        for (PodSet podSet : minimum.byPriority()) {
            List<Member> waiting = podSet.waiting();
            int own = Math.min(waiting.size(), minimum.missing(podSet));
            needed.addAll(waiting.subList(0, own));
            others.addAll(waiting.subList(own, waiting.size()));
        }
        int more = Math.clamp(minimum.missing() - needed.size(), 0, others.size());
        needed.addAll(others.subList(0, more));
        return needed;
    }
}
