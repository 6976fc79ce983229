package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.RoughRoom;
import dev.muster.scheduler.core.state.Workload;
import java.util.List;

/**
 * A bound for what evicting others could give in a cluster: where even that is too little, nobody looks for victims. What is
 * free is added up once in a round, when it is first asked for: what is placed later makes the bound no worse than generous.
 */
final class LowerRoom {
    private final DomainState state;
    private final ClusterState cluster;
    private final KeptRoom kept;
    /** Null until it is asked for. */
    private RoughRoom free;

    LowerRoom(DomainState state, ClusterState cluster, KeptRoom kept) {
        this.state = state;
        this.cluster = cluster;
        this.kept = kept;
    }

    private RoughRoom free() {
        if (free == null) {
            RoughRoom sum = RoughRoom.NONE;
            for (InternedRequirement leaving : state.leavingIn(cluster)) {
                sum = sum.plus(RoughRoom.of(leaving));
            }
            int cpu = state.resources().of(ResourceNames.CPU);
            for (NodeState node : cluster.nodes()) {
                long gpu =
                        node.devices().allocatable() * 1_000L - node.devices().usedMilli();
                sum = sum.plus(new RoughRoom(Math.max(0, gpu), Math.max(0, node.free(cpu))));
            }
            free = sum;
        }
        return free;
    }

    /** Whether a gang could fit by amounts if all of lower priority went, and what is kept for such was not. */
    boolean couldSuffice(Workload workload, List<Workload> lower) {
        List<Workload> owners = kept.owners().stream()
                .filter(owner -> kept.clusterOf(owner).equals(cluster.name()) && owner.priority() < workload.priority())
                .toList();
        return couldSuffice(workload, lower, owners);
    }

    /** Whether a gang could fit by amounts if these went, and what is kept for those was not. */
    boolean couldSuffice(Workload workload, List<Workload> candidates, List<Workload> owners) {
        RoughRoom room = free();
        for (Workload candidate : candidates) {
            room = room.plus(candidate.runningRoom());
        }
        for (Workload owner : owners) {
            for (KeptRoom.Place place : kept.places(owner)) {
                room = room.plus(RoughRoom.of(place.requirement()));
            }
        }
        return room.covers(leastNeeded(workload));
    }

    /** At least so much is missing, whoever of those that wait is placed. */
    private static RoughRoom leastNeeded(Workload workload) {
        long gpu = Long.MAX_VALUE;
        long cpu = Long.MAX_VALUE;
        for (var podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.waiting()) {
                RoughRoom one = RoughRoom.of(member.requirement());
                gpu = Math.min(gpu, one.gpuMilli());
                cpu = Math.min(cpu, one.cpuMilli());
            }
        }
        long missing = Math.max(1, workload.minMember() - workload.ready());
        return gpu == Long.MAX_VALUE ? RoughRoom.NONE : new RoughRoom(gpu, cpu).times(missing);
    }
}
