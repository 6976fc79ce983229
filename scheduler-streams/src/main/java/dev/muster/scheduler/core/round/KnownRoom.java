package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.GangPlacer.Shortage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.HashMap;
import java.util.Map;

/** What a round found out about room. Within a round room only shrinks: what was too little once stays so. */
final class KnownRoom {
    private final DomainState state;
    private final ClusterAccess access;
    private final Map<Known, Integer> room = new HashMap<>();

    /** A kind of pod in a cluster. */
    private record Known(ClusterState cluster, InternedRequirement requirement) {}

    KnownRoom(DomainState state, ClusterAccess access) {
        this.state = state;
        this.access = access;
    }

    /**
     * Within a round room only shrinks: where a gang of such pods found room for no more than n of them, a later one that
     * needs more than n need not be tried.
     */
    Shortage shortage(Workload workload, InternedRequirement alike, ClusterState cluster, int needed) {
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform == null) {
            return null;
        }
        Integer found = alike == null ? null : room.get(new Known(cluster, alike));
        if (found == null && uniform.gpus() > 0 && cluster.mostPodsOf(uniform.gpus()) == 0) {
            found = 0;
        }
        return found != null && needed > found ? new Shortage(uniform, needed, found, found) : null;
    }

    /**
     * The requirement that all waiting members share, where nothing but room decides where they fit; null where they differ
     * or other pods or volumes have a say: what was found for some says nothing of others then.
     */
    InternedRequirement alike(Workload workload, ClusterState cluster) {
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

    boolean alikeEverywhere(Workload workload) {
        for (ClusterState cluster : state.clusters()) {
            if (access.mayUse(workload, cluster) && alike(workload, cluster) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether free GPUs alone tell that no more than too few of its pods can fit. */
    static boolean tooFewGpus(Workload workload, ClusterState cluster, int needed) {
        InternedRequirement uniform = workload.uniformWaiting();
        return uniform != null && uniform.gpus() > 0 && cluster.mostPodsOf(uniform.gpus()) < needed;
    }

    void remember(ClusterState cluster, InternedRequirement requirement, int found) {
        room.merge(new Known(cluster, requirement), found, Math::min);
    }

    /** Whether none of these pods finds room there. */
    boolean none(ClusterState cluster, InternedRequirement requirement) {
        Integer found = room.get(new Known(cluster, requirement));
        return found != null && found == 0;
    }
}
