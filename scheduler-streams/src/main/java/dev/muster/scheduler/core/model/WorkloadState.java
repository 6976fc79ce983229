package dev.muster.scheduler.core.model;

/** Where a workload is in its life. */
public enum WorkloadState {
    /** Not all pods that the minimum needs are there yet. */
    INCOMPLETE,
    /** Waits for room. */
    WAITING,
    /** Placed: being bound. */
    PLACED,
    /** At least the minimum is bound. */
    RUNNING,
    /** Ended well. */
    COMPLETED,
    /** Ended badly. */
    FAILED,
    /** Cancelled by its tenant. */
    CANCELLED,
    /** Suspended by its tenant: it keeps no room, and waits for nothing until it is resumed. */
    SUSPENDED;

    /** No more pods will be placed for it. */
    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }
}
