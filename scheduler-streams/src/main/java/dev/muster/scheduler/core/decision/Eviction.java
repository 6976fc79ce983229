package dev.muster.scheduler.core.decision;

import dev.muster.scheduler.core.model.WorkloadId;

/**
 * That a workload was evicted for another.
 *
 * @param evictedFor the other
 * @param reason by which right, as {@link Action.Evict} says it
 * @param millis when that was decided, domain time
 */
public record Eviction(WorkloadId evictedFor, String reason, long millis) {}
