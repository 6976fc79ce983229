package dev.muster.standalone.bench.core;

import java.util.List;
import java.util.Set;

/**
 * What {@code muster bench core} is to measure.
 *
 * @param nodes sizes of the cluster, rising
 * @param fillPercent GPUs that are asked for, of those there are
 * @param numa nodes report their NUMA layout
 * @param topology what the cluster says of its levels, and gangs ask of them
 * @param warmUpPods so many pods are placed at the smallest size before anything is measured
 * @param heapNodes memory is measured of as many engines as have so many nodes together: fewer are lost in what else moves
 * @param runs measured runs of each size
 * @param parts what is measured beside the sizes
 */
public record CoreOptions(
        CoreWorkload workload,
        List<Integer> nodes,
        int fillPercent,
        boolean numa,
        Topology topology,
        int warmUpPods,
        int heapNodes,
        int runs,
        Set<Part> parts,
        int naiveNodes,
        int largeGangNodes,
        int waitingNodes,
        List<Integer> waiting,
        List<Integer> queues) {
    /** The levels of a cluster's topology: zone, block, rack and node. */
    public enum Topology {
        /** The cluster does not say what is near. */
        none,
        /** It does, and gangs say nothing: they are placed near each other where that can be. */
        levels,
        /** Gangs ask for one rack, or for one block where they are larger than a rack. */
        required
    }

    /** What can be measured beside the sizes. */
    public enum Part {
        /** The same decisions made by a scheduler that looks at every node for every pod. */
        naive,
        /** How long one decision takes for a gang of 512. */
        large,
        /** Time per decision in a full cluster, by how many pods wait. */
        waiting,
        /** Time per decision by how many queues the gangs are in. */
        queues
    }

    public static final int WARM_UP_PODS = 200_000;
    public static final int HEAP_NODES = 10_000;
    public static final int WAITING_NODES = 1_000;

    public CoreOptions {
        nodes = List.copyOf(nodes);
        parts = Set.copyOf(parts);
        waiting = List.copyOf(waiting);
        queues = List.copyOf(queues);
    }

    /** The same on a cluster that does not say what is near. */
    CoreOptions withoutTopology() {
        return new CoreOptions(
                workload,
                nodes,
                fillPercent,
                numa,
                Topology.none,
                warmUpPods,
                heapNodes,
                runs,
                parts,
                naiveNodes,
                largeGangNodes,
                waitingNodes,
                waiting,
                queues);
    }

    /** Gangs that ask for that part of the GPUs. */
    int gangs(int nodeCount) {
        return gangs(workload, nodeCount, fillPercent);
    }

    static int gangs(CoreWorkload workload, int nodeCount, int fillPercent) {
        long gpus = (long) nodeCount * CoreNews.GPUS_PER_NODE * fillPercent / 100;
        return (int) (gpus / workload.gpusPerGang());
    }
}
