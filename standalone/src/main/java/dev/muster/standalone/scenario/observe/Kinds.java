package dev.muster.standalone.scenario.observe;

/** Kinds as they are told apart here: name, then group. */
final class Kinds {
    static final String JOB = "Job.batch";
    static final String VOLCANO_JOB = "Job.batch.volcano.sh";
    static final String VOLCANO_POD_GROUP = "PodGroup.scheduling.volcano.sh";
    static final String POD_GROUP = "PodGroup.scheduling.x-k8s.io";
    static final String KAI_POD_GROUP = "PodGroup.scheduling.run.ai";
    static final String VOLCANO_QUEUE = "Queue.scheduling.volcano.sh";
    static final String CLUSTER_QUEUE = "ClusterQueue.kueue.x-k8s.io";
    static final String LOCAL_QUEUE = "LocalQueue.kueue.x-k8s.io";
    static final String WORKLOAD = "Workload.kueue.x-k8s.io";

    private Kinds() {}
}
