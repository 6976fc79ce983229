package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Whom there is in a cluster, and a bound for what evicting all of lower priority could give: where even that is too little,
 * nobody looks for victims. Holds for a round: what is placed meanwhile makes the bound no worse than generous.
 */
final class LowerRoom {
    private final List<Workload> running;
    private final TreeMap<Integer, Sum> byPriority = new TreeMap<>();
    private final Sum free;

    private record Sum(long gpuMilli, long cpuMilli) {
        private static final Sum NONE = new Sum(0, 0);

        private Sum plus(Sum other) {
            return new Sum(plus(gpuMilli, other.gpuMilli), plus(cpuMilli, other.cpuMilli));
        }

        private Sum times(long count) {
            return new Sum(times(gpuMilli, count), times(cpuMilli, count));
        }

        // Amounts may be absurd; a bound that can't be told is no bound.
        private static long plus(long a, long b) {
            return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
        }

        private static long times(long a, long count) {
            return a > Long.MAX_VALUE / count ? Long.MAX_VALUE : a * count;
        }

        private static Sum of(InternedRequirement requirement) {
            return new Sum(
                    requirement.requirement().gpuMilli(),
                    requirement.requirement().request(ResourceNames.CPU));
        }

        private boolean covers(Sum other) {
            return gpuMilli >= other.gpuMilli && cpuMilli >= other.cpuMilli;
        }
    }

    LowerRoom(DomainState state, ClusterState cluster, KeptRoom kept) {
        this.running = state.runningIn(cluster);
        for (Workload workload : running) {
            for (Member member : workload.boundMembers()) {
                byPriority.merge(workload.priority(), Sum.of(member.requirement()), Sum::plus);
            }
        }
        Sum sum = Sum.NONE;
        for (InternedRequirement leaving : state.leavingIn(cluster)) {
            sum = sum.plus(Sum.of(leaving));
        }
        int cpu = state.resources().of(ResourceNames.CPU);
        for (NodeState node : cluster.nodes()) {
            long gpu = node.devices().allocatable() * 1_000L - node.devices().usedMilli();
            sum = sum.plus(new Sum(Math.max(0, gpu), Math.max(0, node.free(cpu))));
        }
        for (Workload owner : kept.owners()) {
            if (kept.clusterOf(owner).equals(cluster.name())) {
                byPriority.merge(owner.priority(), keptFor(kept, owner), Sum::plus);
            }
        }
        this.free = sum;
    }

    /** Everybody with pods on nodes of the cluster, by id. */
    List<Workload> running() {
        return running;
    }

    private static Sum keptFor(KeptRoom kept, Workload owner) {
        Sum sum = Sum.NONE;
        for (KeptRoom.Place place : kept.places(owner)) {
            sum = sum.plus(Sum.of(place.requirement()));
        }
        return sum;
    }

    /** Workloads of lower priority with pods that could go, by id. */
    List<Workload> below(int priority) {
        List<Workload> lower = new ArrayList<>();
        for (Workload workload : running) {
            if (workload.priority() < priority) {
                lower.add(workload);
            }
        }
        return lower;
    }

    /** Whether a gang could fit by amounts if everybody of lower priority went. */
    boolean couldSuffice(Workload workload) {
        Sum room = free;
        for (Sum lower : byPriority.headMap(workload.priority()).values()) {
            room = room.plus(lower);
        }
        return room.covers(leastNeeded(workload));
    }

    /** Whether a gang could fit by amounts if these went, and what is kept for those was not. */
    boolean couldSuffice(Workload workload, List<Workload> candidates, List<Workload> owners, KeptRoom kept) {
        Sum room = free;
        for (Workload candidate : candidates) {
            for (Member member : candidate.boundMembers()) {
                room = room.plus(Sum.of(member.requirement()));
            }
        }
        for (Workload owner : owners) {
            room = room.plus(keptFor(kept, owner));
        }
        return room.covers(leastNeeded(workload));
    }

    /** At least so much is missing, whoever of those that wait is placed. */
    private static Sum leastNeeded(Workload workload) {
        long gpu = Long.MAX_VALUE;
        long cpu = Long.MAX_VALUE;
        for (var podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.waiting()) {
                Sum one = Sum.of(member.requirement());
                gpu = Math.min(gpu, one.gpuMilli());
                cpu = Math.min(cpu, one.cpuMilli());
            }
        }
        long missing = Math.max(1, workload.minMember() - workload.ready());
        return gpu == Long.MAX_VALUE ? Sum.NONE : new Sum(gpu, cpu).times(missing);
    }
}
