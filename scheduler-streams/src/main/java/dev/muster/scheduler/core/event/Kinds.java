package dev.muster.scheduler.core.event;

import java.util.List;

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
    public static final String NAMESPACE = "Namespace";
    public static final String BATCH_JOB = "BatchJob";
    public static final String KAI_POD_GROUP = "KaiPodGroup";
    public static final String TOPOLOGY = "Topology";
    public static final String KAI_TOPOLOGY = "KaiTopology";
    public static final String HYPER_NODE = "HyperNode";
    public static final String CLAIM = "PersistentVolumeClaim";
    public static final String VOLUME = "PersistentVolume";
    public static final String STORAGE_CLASS = "StorageClass";
    public static final String CSI_NODE = "CSINode";
    public static final String CLUSTER_QUEUE = "ClusterQueue";
    public static final String COHORT = "Cohort";
    public static final String LOCAL_QUEUE = "LocalQueue";
    public static final String RESOURCE_FLAVOR = "ResourceFlavor";
    public static final String WORKLOAD_PRIORITY_CLASS = "WorkloadPriorityClass";
    public static final String SCHEDULER_POLICY = "SchedulerPolicy";

    /** What must have been listed whole once before anything is placed in a cluster. */
    public static final List<String> NEEDED_TO_PLACE =
            List.of(NODE, POD, VOLCANO_POD_GROUP, POD_GROUP, VOLCANO_JOB, VOLCANO_QUEUE, PRIORITY_CLASS);

    /** What must have been listed whole once, too, before a pod that uses volumes is placed. */
    public static final List<String> STORAGE = List.of(CLAIM, VOLUME, STORAGE_CLASS, CSI_NODE);

    /** What must have been listed whole once, too, before anything is placed that a LocalQueue is charged for. */
    public static final List<String> QUOTA =
            List.of(CLUSTER_QUEUE, COHORT, LOCAL_QUEUE, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS, NAMESPACE, BATCH_JOB);

    private Kinds() {}
}
