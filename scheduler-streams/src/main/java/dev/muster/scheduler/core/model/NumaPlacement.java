package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What a pod gets from its node's NUMA nodes.
 *
 * @param shares by zone and resource, without zeros; empty where nothing is taken from NUMA nodes
 */
public record NumaPlacement(List<NumaShare> shares) {
    /** Nothing is taken from NUMA nodes, or nobody knows from which. */
    public static final NumaPlacement NONE = new NumaPlacement(List.of());

    public NumaPlacement {
        shares = List.copyOf(shares);
    }

    /** Whether it says nothing. */
    public boolean isEmpty() {
        return shares.isEmpty();
    }
}
