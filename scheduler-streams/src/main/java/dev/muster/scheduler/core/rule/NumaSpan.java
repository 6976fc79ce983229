package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.NumaRoom;

/**
 * The fewer NUMA nodes a pod's cpus, memory and devices come from the better (LeastNUMANodes of NodeResourceTopologyMatch in
 * kubernetes-sigs/scheduler-plugins); of as many, those that are closer to each other. Where nothing is known of a node's
 * NUMA nodes nothing speaks against it.
 */
record NumaSpan() implements ScoreRule {
    /** What distance can cost: less than one zone more. */
    private static final long FAR = 170;
    /** A zone's distance to itself, in hundredths. */
    private static final int NONE = 1000;

    private static final int FARTHEST = 25_500;

    @Override
    public String name() {
        return "NumaSpan";
    }

    @Override
    public boolean concerns(InternedRequirement requirement) {
        return requirement.aligned();
    }

    @Override
    public long score(InternedRequirement requirement, NodeState node, DomainState state) {
        NumaRoom room = node.numaRoom();
        int zones = room == null ? 0 : room.span(requirement);
        if (zones <= 1) {
            return BEST;
        }
        return BEST / zones - Math.max(0, room.meanDistance(requirement) - NONE) * FAR / (FARTHEST - NONE);
    }
}
