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
 */
public record NodeFacts(
        SortedMap<String, String> labels,
        List<Taint> taints,
        boolean cordoned,
        boolean ready,
        List<Amount> allocatable) {
    public NodeFacts {
        labels = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
        allocatable = List.copyOf(allocatable);
    }
}
