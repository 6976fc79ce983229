package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.NumaRoom;

/** Counts how many pods with one requirement a node has room for. */
public final class Fit {
    private Fit() {}

    /** How many more fit now, one after the other. */
    public static int count(InternedRequirement requirement, NodeState node) {
        long count = usable(requirement, node) ? amounts(requirement, node) : 0;
        NumaRoom numa = node.numaRoom();
        if (count > 0 && numa != null && requirement.aligned()) {
            count = numa.count(requirement, (int) count);
        }
        return (int) count;
    }

    /** How many fit by the amounts that the node has left, wherever on it. */
    public static int amounts(InternedRequirement requirement, NodeState node) {
        long count = Integer.MAX_VALUE;
        for (int i = 0; i < requirement.resourceCount() && count > 0; i++) {
            long free = node.free(requirement.resource(i));
            count = Math.min(count, free < requirement.amount(i) ? 0 : free / requirement.amount(i));
        }
        if (count > 0 && requirement.gpus() > 0) {
            count = Math.min(count, node.devices().wholeFree() / requirement.gpus());
        }
        if (count > 0 && requirement.sharesGpu()) {
            count = Math.min(count, node.devices().shareCount(requirement.shareMilli(node)));
        }
        if (count > 0 && requirement.linked()) {
            count = Math.min(count, node.devices().countTogether(requirement.gpus()));
        }
        return (int) count;
    }

    /** Whether the node's kubelet and its devices let such a pod in at all, were there room. */
    private static boolean usable(InternedRequirement requirement, NodeState node) {
        return !node.couldNotAlign(requirement) && (requirement.gpus() == 0 || node.hasDevicesFor(requirement));
    }

    /** Whether one more fits now. */
    public static boolean one(InternedRequirement requirement, NodeState node) {
        NumaRoom numa = node.numaRoom();
        return usable(requirement, node)
                && amounts(requirement, node) > 0
                && (numa == null || !requirement.aligned() || numa.admits(requirement));
    }

    /** How many would fit if nothing ran there. */
    public static int countEmpty(InternedRequirement requirement, NodeState node) {
        long count = Integer.MAX_VALUE;
        for (int i = 0; i < requirement.resourceCount() && count > 0; i++) {
            count = Math.min(count, node.allocatable(requirement.resource(i)) / requirement.amount(i));
        }
        int gpus = node.devices().allocatable();
        if (requirement.gpus() > 0) {
            count = Math.min(count, gpus / requirement.gpus());
        }
        if (requirement.sharesGpu()) {
            count = Math.min(count, (long) gpus * (Devices.WHOLE / requirement.shareMilli(node)));
        }
        if (requirement.linked()) {
            count = Math.min(count, node.devices().countTogetherEmpty(requirement.gpus()));
        }
        NumaRoom numa = node.numaRoom();
        if (count > 0 && numa != null && requirement.aligned()) {
            count = numa.countEmpty(requirement, (int) count);
        }
        return (int) count;
    }
}
