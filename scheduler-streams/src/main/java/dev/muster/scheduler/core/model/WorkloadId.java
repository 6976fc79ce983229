package dev.muster.scheduler.core.model;

/**
 * A workload: {@code cluster/namespace/kind/name} for a gang object, {@code tenant/Job/id} for a job that came
 * as an event, {@code cluster/namespace/Pod/name/uid} for a lone pod.
 */
public record WorkloadId(String value) implements Comparable<WorkloadId> {
    /** The id of a gang object of a member cluster. */
    public static WorkloadId ofGroup(String cluster, WorkloadKind kind, String namespace, String name) {
        return new WorkloadId(cluster + "/" + namespace + "/" + kind.label() + "/" + name);
    }

    /** The id of a job that a tenant submitted as an event; the job's id is unique for the tenant. */
    public static WorkloadId ofJob(String tenant, String jobId) {
        return new WorkloadId(tenant + "/" + WorkloadKind.JOB.label() + "/" + jobId);
    }

    /** The id of a pod that belongs to no gang. */
    public static WorkloadId ofPod(String cluster, String namespace, String name, String uid) {
        return new WorkloadId(cluster + "/" + namespace + "/" + WorkloadKind.POD.label() + "/" + name + "/" + uid);
    }

    @Override
    public int compareTo(WorkloadId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
