package dev.muster.scheduler.core.event;

/** Names of object kinds as they appear in resync brackets and events. */
public final class Kinds {
    public static final String NODE = "Node";
    public static final String POD = "Pod";
    public static final String VOLCANO_POD_GROUP = "VolcanoPodGroup";
    public static final String POD_GROUP = "PodGroup";
    public static final String VOLCANO_JOB = "VolcanoJob";
    public static final String GPU_HEALTH = "GpuHealth";
    public static final String NUMA = "NodeResourceTopology";
    public static final String VOLCANO_QUEUE = "VolcanoQueue";
    public static final String PRIORITY_CLASS = "PriorityClass";
    public static final String DISRUPTION_BUDGET = "PodDisruptionBudget";
    public static final String SCHEDULER_POLICY = "SchedulerPolicy";

    private Kinds() {}
}
