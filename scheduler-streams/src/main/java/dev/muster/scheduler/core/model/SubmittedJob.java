package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job that came as an event, as the intake accepted it.
 *
 * @param cluster member cluster; empty for any
 * @param minAvailable pods that must run together over all roles
 * @param topology how far apart its pods may be; null where it does not matter
 * @param suspend it is suspended until it is resumed
 */
public record SubmittedJob(
        String namespace,
        String cluster,
        String queue,
        int priority,
        int minAvailable,
        List<Task> tasks,
        NetworkTopology topology,
        boolean suspend) {
    public SubmittedJob {
        tasks = List.copyOf(tasks);
    }

    /** A job that may start at once. */
    public SubmittedJob(
            String namespace,
            String cluster,
            String queue,
            int priority,
            int minAvailable,
            List<Task> tasks,
            NetworkTopology topology) {
        this(namespace, cluster, queue, priority, minAvailable, tasks, topology, false);
    }

    /** The same, and it does not care how far apart its pods are. */
    public SubmittedJob(
            String namespace, String cluster, String queue, int priority, int minAvailable, List<Task> tasks) {
        this(namespace, cluster, queue, priority, minAvailable, tasks, null);
    }

    /**
     * One role.
     *
     * @param replicas pods wanted
     * @param minAvailable pods that must run together
     * @param requirement what each needs
     * @param templateHash hash of its template
     * @param labels labels that its pods will have, by key: what rules of other pods look at before they are made
     */
    public record Task(
            String name,
            int replicas,
            int minAvailable,
            Requirement requirement,
            String templateHash,
            SortedMap<String, String> labels) {
        public Task {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        /** A role whose pods have no labels. */
        public Task(String name, int replicas, int minAvailable, Requirement requirement, String templateHash) {
            this(name, replicas, minAvailable, requirement, templateHash, new TreeMap<>());
        }
    }
}
