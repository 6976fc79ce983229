package dev.muster.binder;

/**
 * Which submitted job a pod belongs to.
 *
 * @param tenant annotation muster.dev/tenant; empty for pods that no submitted job made
 * @param job label muster.dev/job; empty likewise
 */
record JobIdentity(String tenant, String job) {

    static final JobIdentity NONE = new JobIdentity("", "");

    /** The job of a workload id of kind Job (tenant/Job/job), or {@link #NONE}. */
    static JobIdentity ofWorkload(String workload) {
        String[] parts = workload.split("/");
        return parts.length == 3 && parts[1].equals("Job") ? new JobIdentity(parts[0], parts[2]) : NONE;
    }
}
