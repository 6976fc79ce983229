package dev.muster.standalone.cluster;

/**
 * Something that happened to a Volcano Job, as its controller queues it ({@code apis.Request}).
 *
 * @param name event name
 * @param task task of the pod it happened to; empty where it happened to no pod
 * @param pod pod name; empty where it happened to no pod
 * @param uid uid of the pod
 * @param exitCode exit code of a failed pod's first container, else 0
 * @param version the job's version when the pod was made: what happens to pods of an older version is no news
 * @param command action that a Command asks for; empty for none
 */
record VolcanoEvent(String name, String task, String pod, String uid, int exitCode, int version, String command) {

    static final String OUT_OF_SYNC = "OutOfSync";
    static final String COMMAND_ISSUED = "CommandIssued";
    static final String JOB_UPDATED = "JobUpdated";
    static final String JOB_UNKNOWN = "Unknown";
    static final String POD_PENDING = "PodPending";
    static final String POD_RUNNING = "PodRunning";
    static final String POD_FAILED = "PodFailed";
    static final String POD_EVICTED = "PodEvicted";
    static final String TASK_COMPLETED = "TaskCompleted";
    static final String TASK_FAILED = "TaskFailed";

    /** An event of the job as a whole. */
    static VolcanoEvent ofJob(String name) {
        return new VolcanoEvent(name, "", "", "", 0, Integer.MAX_VALUE, "");
    }

    static VolcanoEvent ofCommand(String action) {
        return new VolcanoEvent(COMMAND_ISSUED, "", "", "", 0, Integer.MAX_VALUE, action);
    }

    /** Whether no policy may answer it: the controller's own affair. */
    boolean internal() {
        return name.equals(OUT_OF_SYNC) || name.equals(COMMAND_ISSUED) || name.equals(POD_RUNNING);
    }

    boolean ofPod() {
        return !pod.isEmpty();
    }
}
