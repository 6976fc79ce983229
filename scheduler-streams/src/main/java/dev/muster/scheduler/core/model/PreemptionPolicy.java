package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.SortedMap;

/**
 * Whom a workload that waits may have evicted, and how often: the guards of preemption and their limits. Where a limit is 0,
 * its guard is off.
 *
 * @param enabled whether anybody is evicted for a workload of higher priority at all
 * @param fence between whom
 * @param evictionsPerQueue pods that may be evicted for one queue's workloads at once; what goes beyond is owed
 * @param evictionsPerQueuePerHour how many of them are forgotten in an hour
 * @param evictionsPerDomain the same for all workloads of the domain
 * @param evictionsPerDomainPerHour how many of these are forgotten in an hour
 * @param minimumRuntimeMillis how long a workload runs before it may be evicted
 * @param cascadeDepth so many workloads may be evicted for each other in a row
 * @param cycleMemoryMillis for so long nobody is evicted for whom they had evicted
 * @param failedStarts a workload whose last placements failed so often in a row has nobody evicted
 * @param protectedClasses priority classes whose workloads are never evicted
 * @param ceilings highest priority that workloads of a namespace may evict others with
 * @param roomKeptMillis how long room is kept for a workload after the evictions
 * @param protectedLabels labels of pods whose workloads are never evicted, services above all: {@code key}, or {@code key=value}
 */
public record PreemptionPolicy(
        boolean enabled,
        Fence fence,
        int evictionsPerQueue,
        int evictionsPerQueuePerHour,
        int evictionsPerDomain,
        int evictionsPerDomainPerHour,
        long minimumRuntimeMillis,
        int cascadeDepth,
        long cycleMemoryMillis,
        int failedStarts,
        List<String> protectedClasses,
        List<Ceiling> ceilings,
        long roomKeptMillis,
        List<String> protectedLabels) {
    /** Whose workloads may be evicted for a workload. */
    public enum Fence {
        /** Anybody's in the cluster, as kube-scheduler and Volcano have it. */
        CLUSTER,
        /** Those of its own queue. */
        QUEUE,
        /** Those of its own namespace. */
        NAMESPACE
    }

    /** The highest priority that counts for evicting others; namespace {@code *} stands for every other one. */
    public record Ceiling(String namespace, int priority) {}

    /** In force until the operator says otherwise. */
    public static final PreemptionPolicy DEFAULT = new PreemptionPolicy(
            true, Fence.CLUSTER, 100, 120, 200, 240, 10_000, 3, 600_000, 3, List.of(), List.of(), 600_000, List.of());

    private static final String ANY_OTHER = "*";

    public PreemptionPolicy {
        protectedClasses = List.copyOf(protectedClasses);
        ceilings = List.copyOf(ceilings);
        protectedLabels = List.copyOf(protectedLabels);
    }

    /** Guards that protect no labels. */
    public PreemptionPolicy(
            boolean enabled,
            Fence fence,
            int evictionsPerQueue,
            int evictionsPerQueuePerHour,
            int evictionsPerDomain,
            int evictionsPerDomainPerHour,
            long minimumRuntimeMillis,
            int cascadeDepth,
            long cycleMemoryMillis,
            int failedStarts,
            List<String> protectedClasses,
            List<Ceiling> ceilings,
            long roomKeptMillis) {
        this(
                enabled,
                fence,
                evictionsPerQueue,
                evictionsPerQueuePerHour,
                evictionsPerDomain,
                evictionsPerDomainPerHour,
                minimumRuntimeMillis,
                cascadeDepth,
                cycleMemoryMillis,
                failedStarts,
                protectedClasses,
                ceilings,
                roomKeptMillis,
                List.of());
    }

    /** Whether labels are among those that protect. */
    public boolean protects(SortedMap<String, String> labels) {
        for (String each : protectedLabels) {
            int equals = each.indexOf('=');
            String value = labels.get(equals < 0 ? each : each.substring(0, equals));
            if (value != null && (equals < 0 || value.equals(each.substring(equals + 1)))) {
                return true;
            }
        }
        return false;
    }

    /** The highest priority that workloads of a namespace may evict others with. */
    public int ceiling(String namespace) {
        int others = Integer.MAX_VALUE;
        for (Ceiling ceiling : ceilings) {
            if (ceiling.namespace().equals(namespace)) {
                return ceiling.priority();
            }
            others = ceiling.namespace().equals(ANY_OTHER) ? ceiling.priority() : others;
        }
        return others;
    }
}
