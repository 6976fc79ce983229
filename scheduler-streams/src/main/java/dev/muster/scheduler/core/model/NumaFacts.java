package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * A node's NUMA layout as last reported (NodeResourceTopology).
 *
 * @param policy topology manager policy
 * @param scope container or pod
 * @param zones sorted by name
 */
public record NumaFacts(String policy, String scope, List<Zone> zones) {
    public NumaFacts {
        zones = List.copyOf(zones);
    }

    /** One NUMA node: what it has, what was free at the report, and its distances to the others by name. */
    public record Zone(String name, List<Amount> allocatable, List<Amount> available, List<Label> costs) {
        public Zone {
            allocatable = List.copyOf(allocatable);
            available = List.copyOf(available);
            costs = List.copyOf(costs);
        }
    }
}
