package dev.muster.standalone.bench.core;

import java.util.List;
import java.util.Set;

/**
 * What {@code muster bench queues} is to measure.
 *
 * @param nodes nodes of 8 GPUs, all of them taken
 * @param queues ClusterQueues while the number of waiting workloads changes
 * @param waiting workloads that wait, rising
 * @param queueCounts ClusterQueues while as many workloads wait as at first in {@code waiting}, rising
 * @param ends workloads that end in each run, one at a time
 * @param runs measured runs of each size
 * @param gangs sizes of the gangs that others are evicted for
 */
public record CohortOptions(
        int nodes,
        int queues,
        List<Integer> waiting,
        List<Integer> queueCounts,
        int ends,
        int runs,
        Set<Part> parts,
        List<Integer> gangs) {
    /** What is measured. */
    public enum Part {
        /** Work of an event that frees capacity, by how many workloads wait. */
        waiting,
        /** The same by how many queues they wait in. */
        queues,
        /** How long the search for victims takes. */
        preemption
    }

    public CohortOptions {
        waiting = List.copyOf(waiting);
        queueCounts = List.copyOf(queueCounts);
        parts = Set.copyOf(parts);
        gangs = List.copyOf(gangs);
    }
}
