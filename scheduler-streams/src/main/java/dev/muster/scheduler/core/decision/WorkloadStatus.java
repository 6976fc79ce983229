package dev.muster.scheduler.core.decision;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.List;

/**
 * What is said of a workload to the outside.
 *
 * @param name name for people: of the job that owns the group where there is one
 * @param object name of the group object or pod
 * @param pods pods known or wanted
 * @param gpuMilli thousandths of GPUs that its placed and bound pods hold
 * @param waitingPods names of pods that wait, at most 100
 * @param decision latest decision; null before the first
 * @param localQueue LocalQueue of Kueue that it names: then the queue is the ClusterQueue; empty where it names none
 * @param used what its placed and bound pods use of its queue's quota, sorted by flavor and resource
 * @param eviction the last time that all of it was evicted for another; null where it never was
 * @param endsByMillis when it has ended at the latest, by deadlines, epoch milliseconds; 0 while nothing bounds it
 */
public record WorkloadStatus(
        WorkloadId id,
        WorkloadKind kind,
        String cluster,
        String namespace,
        String name,
        String object,
        String tenant,
        String queue,
        int priority,
        WorkloadState state,
        Reason reason,
        int minMember,
        int pods,
        int bound,
        long gpuMilli,
        List<String> waitingPods,
        long attempt,
        long arrivedMillis,
        long sinceMillis,
        DecisionId decision,
        String localQueue,
        List<FlavorAmount> used,
        Eviction eviction,
        long endsByMillis) {
    public WorkloadStatus {
        used = List.copyOf(used);
        waitingPods = List.copyOf(waitingPods);
    }
}
