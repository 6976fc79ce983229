package dev.muster.standalone.cluster;

/** Names of the actions of Volcano's lifecycle policies and commands. */
final class VolcanoActions {

    static final String SYNC_JOB = "SyncJob";
    static final String ABORT_JOB = "AbortJob";
    static final String RESTART_JOB = "RestartJob";
    static final String RESTART_TASK = "RestartTask";
    static final String RESTART_POD = "RestartPod";
    static final String TERMINATE_JOB = "TerminateJob";
    static final String COMPLETE_JOB = "CompleteJob";
    static final String RESUME_JOB = "ResumeJob";

    private VolcanoActions() {}

    /** Whether an action is about less than the whole job. */
    static boolean targeted(String action) {
        return action.equals(RESTART_TASK) || action.equals(RESTART_POD);
    }
}
