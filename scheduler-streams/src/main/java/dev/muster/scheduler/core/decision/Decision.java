package dev.muster.scheduler.core.decision;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.WorkloadId;

/**
 * Something to be done for a workload, whole or not at all.
 *
 * @param timeMillis domain time of the entry that made it
 * @param attempt rises with each decision for the workload that touches its pods: the fence written on them
 */
public record Decision(DecisionId id, long timeMillis, WorkloadId workload, long attempt, Action action) {}
