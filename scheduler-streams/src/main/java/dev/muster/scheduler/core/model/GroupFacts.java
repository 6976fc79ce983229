package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What is known of a gang object.
 *
 * @param queue queue; empty for the default queue
 * @param priorityClass PriorityClass; empty where none is named
 * @param minMember pods that must run together
 * @param tasks roles with their own minimum, in the object's order
 * @param ownerJob job that owns the group; empty where none does
 * @param phase status.phase; empty where there is none
 * @param scheduleTimeoutSeconds 0 for the domain's default
 * @param createdMillis creation timestamp, epoch milliseconds
 * @param topology how far apart its pods may be; null where it does not matter
 * @param subGroups how it is divided into subgroups by labels
 * @param shape what else it says of itself: a tree of subgroups, gangs that start with it
 * @param localQueue LocalQueue that it is charged to; empty where none is named
 * @param workloadPriorityClass WorkloadPriorityClass; empty where none is named
 * @param alone of a batch Job: its pods do not start together, each is a workload
 * @param wanted of a batch Job: pods still to run at once, which it keeps its quota for once admitted; -1 where unknown
 * @param endsByMillis of a batch Job: when it ends at the latest, epoch milliseconds; 0 where nothing bounds it
 */
public record GroupFacts(
        String queue,
        String priorityClass,
        int minMember,
        List<Task> tasks,
        String ownerJob,
        String phase,
        int scheduleTimeoutSeconds,
        long createdMillis,
        NetworkTopology topology,
        List<SubGroupPolicy> subGroups,
        GangShape shape,
        String localQueue,
        String workloadPriorityClass,
        boolean alone,
        int wanted,
        long endsByMillis) {
    public GroupFacts {
        tasks = List.copyOf(tasks);
        subGroups = List.copyOf(subGroups);
    }

    /** A gang that names no queue of Kueue. */
    public GroupFacts(
            String queue,
            String priorityClass,
            int minMember,
            List<Task> tasks,
            String ownerJob,
            String phase,
            int scheduleTimeoutSeconds,
            long createdMillis,
            NetworkTopology topology,
            List<SubGroupPolicy> subGroups,
            GangShape shape) {
        this(
                queue,
                priorityClass,
                minMember,
                tasks,
                ownerJob,
                phase,
                scheduleTimeoutSeconds,
                createdMillis,
                topology,
                subGroups,
                shape,
                "",
                "",
                false,
                -1,
                0);
    }

    /** A gang that does not care where its pods are, and has no subgroups. */
    public GroupFacts(
            String queue,
            String priorityClass,
            int minMember,
            List<Task> tasks,
            String ownerJob,
            String phase,
            int scheduleTimeoutSeconds,
            long createdMillis) {
        this(
                queue,
                priorityClass,
                minMember,
                tasks,
                ownerJob,
                phase,
                scheduleTimeoutSeconds,
                createdMillis,
                null,
                List.of(),
                GangShape.PLAIN);
    }

    /** One role: pods that must run, pods wanted (-1 where unknown), PriorityClass of its template (may be empty). */
    public record Task(String name, int minMember, int replicas, String priorityClass) {}
}
