package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

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
 * @param labels by key; what other pods' affinity terms look at
 * @param unaligned failed because its kubelet could not align it (TopologyAffinityError)
 * @param numa what its annotation says it has of NUMA nodes
 * @param checkpointMillis when it says that its work was saved last, epoch milliseconds; 0 where it says nothing
 * @param endsByMillis when its kubelet ends it at the latest, epoch milliseconds; 0 where nothing bounds it
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
        long createdMillis,
        SortedMap<String, String> labels,
        boolean unaligned,
        NumaPlacement numa,
        long checkpointMillis,
        long endsByMillis) {
    public PodFacts {
        devices = List.copyOf(devices);
        labels = labels.isEmpty() ? NO_LABELS : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    private static final String QUEUE_LABEL = "kueue.x-k8s.io/queue-name";
    private static final String PRIORITY_CLASS_LABEL = "kueue.x-k8s.io/priority-class";
    private static final SortedMap<String, String> NO_LABELS = Collections.unmodifiableSortedMap(new TreeMap<>());

    /** A pod that says nothing of saved work, and that no deadline bounds. */
    public PodFacts(
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
            long createdMillis,
            SortedMap<String, String> labels,
            boolean unaligned,
            NumaPlacement numa) {
        this(
                schedulerName,
                ours,
                phase,
                node,
                deleting,
                gated,
                priority,
                mayPreempt,
                group,
                task,
                index,
                queue,
                requirement,
                devices,
                decision,
                createdMillis,
                labels,
                unaligned,
                numa,
                0,
                0);
    }

    /** A pod without labels. */
    public PodFacts(
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
        this(
                schedulerName,
                ours,
                phase,
                node,
                deleting,
                gated,
                priority,
                mayPreempt,
                group,
                task,
                index,
                queue,
                requirement,
                devices,
                decision,
                createdMillis,
                NO_LABELS,
                false,
                NumaPlacement.NONE);
    }

    /** The same pod with these labels. */
    public PodFacts withLabels(SortedMap<String, String> others) {
        return with(index, others);
    }

    /** The same pod with this index. */
    public PodFacts withIndex(int other) {
        return with(other, labels);
    }

    private PodFacts with(int itsIndex, SortedMap<String, String> itsLabels) {
        return new PodFacts(
                schedulerName,
                ours,
                phase,
                node,
                deleting,
                gated,
                priority,
                mayPreempt,
                group,
                task,
                itsIndex,
                queue,
                requirement,
                devices,
                decision,
                createdMillis,
                itsLabels,
                unaligned,
                numa,
                checkpointMillis,
                endsByMillis);
    }

    /** The same pod without its index, made of parts that other facts are made of too. */
    public PodFacts sharing(
            UnaryOperator<String> text, String sharedNode, GroupRef sharedGroup, Requirement sharedRequirement) {
        SortedMap<String, String> sharedLabels = labels;
        if (!labels.isEmpty()) {
            sharedLabels = new TreeMap<>();
            for (var label : labels.entrySet()) {
                sharedLabels.put(text.apply(label.getKey()), text.apply(label.getValue()));
            }
        }
        return new PodFacts(
                text.apply(schedulerName),
                ours,
                text.apply(phase),
                sharedNode,
                deleting,
                gated,
                priority,
                mayPreempt,
                sharedGroup,
                text.apply(task),
                -1,
                text.apply(queue),
                sharedRequirement,
                devices,
                decision,
                createdMillis,
                sharedLabels,
                unaligned,
                numa,
                checkpointMillis,
                endsByMillis);
    }

    /** LocalQueue of Kueue that its label names; empty where it names none. */
    public String localQueue() {
        return labels.getOrDefault(QUEUE_LABEL, "");
    }

    /** WorkloadPriorityClass of Kueue that its label names; empty where it names none. */
    public String workloadPriorityClass() {
        return labels.getOrDefault(PRIORITY_CLASS_LABEL, "");
    }

    /** Succeeded or Failed: the pod no longer holds its room. */
    public boolean terminal() {
        return succeeded() || phase.equals("Failed");
    }

    /** The pod ended well. */
    public boolean succeeded() {
        return phase.equals("Succeeded");
    }

    /**
     * It did not end well, and is being deleted: kubelets give pods that they were told to stop a terminal phase before these are
     * gone (since Kubernetes 1.27), so nothing follows for its job.
     */
    public boolean stopped() {
        return deleting && terminal() && !succeeded();
    }

    /** The pod has a node and still holds room there. */
    public boolean holdsRoom() {
        return !node.isEmpty() && !terminal();
    }
}
