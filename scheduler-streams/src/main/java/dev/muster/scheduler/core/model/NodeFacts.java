package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a node.
 *
 * @param labels by key
 * @param taints sorted by key and effect
 * @param cordoned spec.unschedulable
 * @param ready condition Ready is True
 * @param allocatable sorted by resource
 * @param gpuCapacity GPUs that are there, whether they can be used or not; 0 where unknown
 * @param deviceGroups GPUs that are close to each other, by link and smallest device
 */
public record NodeFacts(
        SortedMap<String, String> labels,
        List<Taint> taints,
        boolean cordoned,
        boolean ready,
        List<Amount> allocatable,
        int gpuCapacity,
        List<DeviceGroup> deviceGroups) {
    public NodeFacts {
        labels = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
        allocatable = List.copyOf(allocatable);
        deviceGroups = List.copyOf(deviceGroups);
    }

    /** A node of whose GPUs no more is known than how many it offers. */
    public NodeFacts(
            SortedMap<String, String> labels,
            List<Taint> taints,
            boolean cordoned,
            boolean ready,
            List<Amount> allocatable) {
        this(labels, taints, cordoned, ready, allocatable, 0, List.of());
    }
}
