package dev.muster.standalone.faults;

/**
 * The kinds of faults, each with how often it strikes when a seed has it: per chance that it gets, between these two
 * probabilities. What a chance is stands beside it.
 */
enum Fault {
    /** The scheduler dies with records processed and nothing committed. Per turn of its loop. */
    SCHEDULER_KILLED_BEFORE_COMMIT(0.002, 0.05),
    /** The scheduler dies after the brokers committed and before it knows. Per commit. */
    SCHEDULER_KILLED_AFTER_COMMIT(0.002, 0.05),
    /** The scheduler is stopped cleanly and started anew. Per commit. */
    SCHEDULER_RESTARTED(0.002, 0.05),
    /** The scheduler hangs with an open transaction, another takes over, the first wakes up. Per turn. */
    SCHEDULER_ZOMBIE(0.001, 0.02),
    /** The brokers are slow to commit. Per commit. */
    COMMIT_DELAYED(0.01, 0.2),
    /** The scheduler's punctuations stall. Per turn. */
    TICKS_STALLED(0.002, 0.05),
    /** The scheduler does not see one of its topics for a while. Per turn. */
    TOPIC_LAGS(0.005, 0.1),
    /** The scheduler's wall clock jumps ahead. Per turn. */
    CLOCK_JUMPS_AHEAD(0.001, 0.01),
    /** The scheduler's wall clock jumps back. Per turn. */
    CLOCK_JUMPS_BACK(0.001, 0.02),
    /** A record that is no Avro, or names an unknown schema, on a topic the scheduler reads. Per action. */
    POISON_RECORD(0.02, 0.2),

    /** The binder dies before an API call. Per call. */
    BINDER_KILLED_BEFORE_CALL(0.001, 0.02),
    /** The binder dies after an API call took effect. Per call. */
    BINDER_KILLED_AFTER_CALL(0.001, 0.02),
    /** The binder hangs, and wakes up with old decisions in hand. Per call. */
    BINDER_PAUSED(0.0005, 0.01),
    /** The binder hangs, another one starts, and then there are two. Per call. */
    BINDER_TWICE(0.0005, 0.01),
    /** The binder's commit of an offset is lost: decisions are read again at the next start. Per commit. */
    BINDER_OFFSETS_LOST(0.1, 0.9),
    /** The binder's watch is far behind. Per change that it tells of. */
    BINDER_VIEW_LATE(0.005, 0.1),
    /** The binder's wall clock is wrong from its start on. Per start. */
    BINDER_CLOCK_WRONG(0.2, 0.8),

    /** The API server says 409 though nothing changed. Per call of the binder. */
    API_409(0.002, 0.05),
    /** The API server has no time: 429 with a pause to keep. Per call of the binder. */
    API_429(0.002, 0.1),
    /** The API server fails: 500, nothing was done. Per call of the binder. */
    API_500(0.002, 0.1),
    /** The API server refuses: 403, as a webhook would. Per bind. */
    API_REFUSES(0.001, 0.01),
    /** It was done, and the answer is lost. Per call of the binder. */
    API_REPLY_LOST(0.002, 0.1),
    /** The API server takes seconds. Per call of the binder. */
    API_SLOW(0.005, 0.1),

    /** The ingest dies with records in its buffer; another takes the lease over later. Per change that it sees. */
    INGEST_KILLED(0.0005, 0.005),
    /** The ingest hangs, another takes over, the first wakes up. Per change that it sees. */
    INGEST_ZOMBIE(0.0005, 0.005),
    /** A watch event comes late. Per event. */
    WATCH_LATE(0.01, 0.1),
    /** A watch event comes twice. Per event. */
    WATCH_REPEATS(0.01, 0.2),
    /** A watch event is overtaken by later ones. Per event. */
    WATCH_REORDERS(0.01, 0.1),
    /** The watch's connection breaks; it goes on where it was. Per event. */
    WATCH_BREAKS(0.002, 0.03),
    /** The watch breaks and history is compacted: 410, a list is needed. Per event. */
    WATCH_410(0.001, 0.02),
    /** The watch says nothing any more. Per event. */
    WATCH_SILENT(0.0005, 0.005),
    /** A list fails. Per list. */
    LIST_FAILS(0.05, 0.3),
    /** The lease cannot be read or written. Per call. */
    LEASE_FAILS(0.02, 0.2),

    /** A node is not ready for a while. Per action. */
    NODE_FLAPS(0.02, 0.15),
    /** A node is deleted with its pods; one of the same name and another size may come. Per action. */
    NODE_REPLACED(0.01, 0.1),
    /** A node is cordoned for a while. Per action. */
    NODE_CORDONED(0.02, 0.1),
    /** A node says that its GPUs are ill, for a while. Per action. */
    NODE_UNHEALTHY(0.02, 0.1),
    /** A pod is deleted by its owner. Per action. */
    POD_DELETED(0.05, 0.3),
    /** A pod is deleted and made anew under its name at once. Per action. */
    POD_RECREATED(0.02, 0.2),
    /** Somebody writes on a waiting pod: its version moves. Per action. */
    POD_TOUCHED(0.05, 0.3),
    /** A gang object is deleted. Per action. */
    GROUP_DELETED(0.01, 0.1),
    /** A submitted job is cancelled. Per action. */
    JOB_CANCELLED(0.02, 0.15),

    // New kinds come last: what the kinds before them do in a seed stays the same.

    /** The binder gives up waiting, and the request arrives all the same, later. Per call of the binder that changes anything. */
    API_REQUEST_LATE(0.002, 0.1),
    /** GPUs of a node fail for good, until somebody resets them; in seeds that play health. Per action. */
    GPU_FATAL(0.03, 0.2);

    final double least;
    final double most;

    Fault(double least, double most) {
        this.least = least;
        this.most = most;
    }
}
