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

    /** The same, but for what was free: equal for nodes that are alike. */
    public NumaFacts shape() {
        return new NumaFacts(
                policy,
                scope,
                zones.stream()
                        .map(zone ->
                                new Zone(zone.name(), zone.capacity(), zone.allocatable(), List.of(), zone.costs()))
                        .toList());
    }

    /**
     * One NUMA node.
     *
     * @param capacity what it has, what is reserved for the system included; empty where it is not reported
     * @param allocatable what pods can have
     * @param available what was free at the report
     * @param costs distances to the zones by name
     */
    public record Zone(
            String name, List<Amount> capacity, List<Amount> allocatable, List<Amount> available, List<Label> costs) {
        public Zone {
            capacity = List.copyOf(capacity);
            allocatable = List.copyOf(allocatable);
            available = List.copyOf(available);
            costs = List.copyOf(costs);
        }
    }
}
