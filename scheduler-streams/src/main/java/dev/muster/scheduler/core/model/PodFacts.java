package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What is known of a pod.
 *
 * @param schedulerName spec.schedulerName
 * @param ours true when Muster is to place it
 * @param phase status.phase
 * @param node spec.nodeName; empty while unbound
 * @param deleting has a deletion timestamp; holds its room until it is gone or terminal
 * @param gated has scheduling gates
 * @param priority spec.priority
 * @param mayPreempt preemptionPolicy is not Never
 * @param group the gang; null for a lone pod
 * @param task the gang's task; empty where there is none
 * @param index index inside the task; -1 where there is none
 * @param queue queue named on the pod; empty where none is
 * @param requirement what it needs
 * @param devices GPU devices its annotation names
 * @param decision decision its annotation names; empty where none does
 * @param createdMillis creation timestamp, epoch milliseconds
 */
public record PodFacts(
        String schedulerName,
        boolean ours,
        String phase,
        String node,
        boolean deleting,
        boolean gated,
        int priority,
        boolean mayPreempt,
        GroupRef group,
        String task,
        int index,
        String queue,
        Requirement requirement,
        List<Integer> devices,
        String decision,
        long createdMillis) {
    public PodFacts {
        devices = List.copyOf(devices);
    }

    /** Succeeded or Failed: the pod no longer holds its room. */
    public boolean terminal() {
        return succeeded() || phase.equals("Failed");
    }

    /** The pod ended well. */
    public boolean succeeded() {
        return phase.equals("Succeeded");
    }

    /** The pod has a node and still holds room there. */
    public boolean holdsRoom() {
        return !node.isEmpty() && !terminal();
    }
}
