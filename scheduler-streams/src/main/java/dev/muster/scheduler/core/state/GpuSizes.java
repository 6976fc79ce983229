package dev.muster.scheduler.core.state;

import java.util.TreeMap;

/**
 * How much memory GPUs of a domain have, by the nodes that say so, and what part of one a pod that asks for memory is charged to
 * its queue: that of the smallest that has as much, so that the charge is known before the node is, is the same for all such
 * pods, and is never less than what is taken of a device (KAI-Scheduler: where quotas are checked, memory is divided by the
 * smallest GPU memory in the cluster). Smaller GPUs are left out of it: the pod can't run there. One whole GPU where none has
 * as much.
 */
final class GpuSizes {
    /** Nodes by the MiB of each of their GPUs. */
    private final TreeMap<Integer, Integer> nodes = new TreeMap<>();

    /** A node's GPUs had so much, and have so much now; 0 where that is not known. */
    void replace(int beforeMib, int nowMib) {
        if (beforeMib > 0) {
            nodes.computeIfPresent(beforeMib, (mib, count) -> count == 1 ? null : count - 1);
        }
        if (nowMib > 0) {
            nodes.merge(nowMib, 1, Integer::sum);
        }
    }

    /** Whether charges are others after that. */
    boolean wouldChange(int beforeMib, int nowMib) {
        return beforeMib != nowMib
                && (nowMib > 0 && !nodes.containsKey(nowMib) || beforeMib > 0 && nodes.get(beforeMib) == 1);
    }

    /** Thousandths of a GPU, rounded up, that so much memory of one counts as. */
    int shareMilli(int mib) {
        Integer ofGpu = nodes.ceilingKey(mib);
        return ofGpu == null ? Devices.WHOLE : partMilli(mib, ofGpu);
    }

    /** Thousandths, rounded up, that memory is of a GPU that has as much or more. */
    static int partMilli(int mib, int ofGpuMib) {
        return (int) (((long) mib * Devices.WHOLE + ofGpuMib - 1) / ofGpuMib);
    }

    /** Nodes by the MiB of each of their GPUs. */
    TreeMap<Integer, Integer> nodes() {
        return nodes;
    }
}
