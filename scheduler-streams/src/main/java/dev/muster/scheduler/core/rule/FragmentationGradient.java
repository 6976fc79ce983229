package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;

/**
 * The less a pod adds to the idle GPUs that nobody can use the better; between nodes that are alike in that, the fuller one.
 *
 * <p>This is the descent of Weng et al., 'Beware of Fragmentation' (USENIX ATC 2023), with another measure of what is lost,
 * which needs no knowledge of the workload. Two things make a node's idle GPUs useless:
 *
 * <ul>
 *   <li>what goes with them is gone. Of a node's GPUs as large a part can be used as is left of cpu, memory and whatever else
 *       the pod asks for, and a quarter more, since few pods need as much of it as goes with their GPUs; idle ones beyond the
 *       smallest of these parts are stranded. So pods that need much cpu for their GPUs
 *       go where cpu is plenty, and those that need little go where it is scarce.
 *   <li>what is left of a shared device is too small. If the next share may be of any size, f thousandths left are useless
 *       with probability 1 - f/1000, so that f(1000 - f)/1000 are lost. That is least for the tightest device, the one a share
 *       is given ({@link Devices}).
 * </ul>
 */
record FragmentationGradient() implements ScoreRule {
    /** Thousandths of a GPU: what differs by less than this is alike. */
    private static final long STEP = 50;

    /** More than this many steps, 2 GPUs, are not told apart. */
    private static final long MOST_STEPS = 40;

    /** One in so many more GPUs can be used than what is left of other resources stands for. */
    private static final long SLACK = 4;

    private static final long PER_STEP = BEST / (2 * MOST_STEPS + 1);

    @Override
    public String name() {
        return "FragmentationGradient";
    }

    @Override
    public long score(InternedRequirement requirement, NodeState node, DomainState state) {
        long gained = node.devices().allocatable() == 0 ? 0 : gained(requirement, node);
        long steps = Math.clamp(Math.floorDiv(gained, STEP), -MOST_STEPS, MOST_STEPS);
        // As it is now: the pod itself would fill a small node more, and small nodes are not to be preferred.
        long fullness = NodeScores.fullness(requirement, node, 0);
        return (steps + MOST_STEPS) * PER_STEP + fullness * (PER_STEP - 1) / BEST;
    }

    /** Thousandths of GPUs that are lost now and would not be with the pod there; below zero where it makes more be lost. */
    private static long gained(InternedRequirement requirement, NodeState node) {
        long idle = Math.max(
                0,
                (long) node.devices().allocatable() * Devices.WHOLE
                        - node.devices().usedMilli());
        long before = Math.max(0, idle - usable(requirement, node, 0));
        long idleAfter = idle - requirement.gpuMilli(node);
        long after = Math.max(0, idleAfter - usable(requirement, node, 1));
        int share = requirement.shareMilli(node);
        return before
                - after
                + (share == 0 ? 0 : gainedOnDevice(share, node.devices().tightest(share)));
    }

    /** How many of its GPUs a node could use, by what is left of other resources with so many such pods more. */
    private static long usable(InternedRequirement requirement, NodeState node, int pods) {
        long gpuMilli = (long) node.devices().allocatable() * Devices.WHOLE;
        long usable = gpuMilli;
        for (int i = 0; i < requirement.resourceCount(); i++) {
            long allocatable = node.allocatable(requirement.resource(i));
            // Pods take one place each, however many GPUs they use.
            if (allocatable > 0 && !requirement.isCountOfPods(i)) {
                long left = Math.max(0, node.free(requirement.resource(i)) - pods * requirement.amount(i));
                long part = part(gpuMilli, left, allocatable);
                usable = Math.min(usable, part + part / SLACK);
            }
        }
        return usable;
    }

    private static long part(long gpuMilli, long left, long allocatable) {
        boolean small = left <= Long.MAX_VALUE / gpuMilli;
        return small ? left * gpuMilli / allocatable : left / (allocatable / gpuMilli);
    }

    /** f(1000 - f)/1000 before less the same after, with f free thousandths before. */
    private static long gainedOnDevice(int share, int free) {
        return (long) share * (Devices.WHOLE + share - 2L * free) / Devices.WHOLE;
    }
}
