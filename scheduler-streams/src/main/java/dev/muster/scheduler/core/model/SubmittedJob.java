package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A job that came as an event, as the intake accepted it. */
public record SubmittedJob(
        String namespace, String cluster, String queue, int priority, int minAvailable, List<Task> tasks) {
    public SubmittedJob {
        tasks = List.copyOf(tasks);
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
