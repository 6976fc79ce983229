package dev.muster.scheduler.core.model;

/** What kind of object a workload is. */
public enum WorkloadKind {
    /** A Volcano PodGroup (scheduling.volcano.sh/v1beta1), with or without a Volcano Job that owns it. */
    VOLCANO_POD_GROUP("VolcanoPodGroup"),
    /** A scheduler-plugins PodGroup (scheduling.x-k8s.io/v1alpha1). */
    POD_GROUP("PodGroup"),
    /** A batch/v1 Job whose pods ask for a place in the topology, as one pod set. */
    BATCH_JOB("BatchJob"),
    /** A PodGroup of KAI (scheduling.run.ai/v2alpha2). */
    KAI_POD_GROUP("KaiPodGroup"),
    /** A job that came as an event; the binder creates its pods. */
    JOB("Job"),
    /** A pod that belongs to no gang. */
    POD("Pod");

    private final String label;

    WorkloadKind(String label) {
        this.label = label;
    }

    /** The name used in records and ids. */
    public String label() {
        return label;
    }

    /** The kind with that label, or null where there is none. */
    public static WorkloadKind ofLabel(String label) {
        for (WorkloadKind kind : values()) {
            if (kind.label.equals(label)) {
                return kind;
            }
        }
        return null;
    }
}
