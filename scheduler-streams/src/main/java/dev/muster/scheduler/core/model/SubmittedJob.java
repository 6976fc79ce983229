package dev.muster.scheduler.core.model;

import java.util.List;

/** A job that came as an event, as the intake accepted it. */
public record SubmittedJob(
        String namespace, String cluster, String queue, int priority, int minAvailable, List<Task> tasks) {
    public SubmittedJob {
        tasks = List.copyOf(tasks);
    }

    /** One role: pods wanted, pods that must run together, what each needs, and the hash of its template. */
    public record Task(String name, int replicas, int minAvailable, Requirement requirement, String templateHash) {}
}
