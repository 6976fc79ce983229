package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.state.Row;
import java.util.List;

/**
 * What one journal entry did.
 *
 * @param applied false when the event was stale or repeated: nothing changed, nothing is to be recorded, and the entry's
 *     sequence is free for the next
 * @param decisions in the order they were made
 * @param statuses workloads whose status changed, by id
 * @param forgotten workloads that no longer exist, by id
 * @param rows rows that changed, by table and key
 */
public record Effects(
        boolean applied,
        List<Decision> decisions,
        List<WorkloadStatus> statuses,
        List<WorkloadId> forgotten,
        List<Row.Change> rows) {
    /** Nothing happened. */
    public static final Effects IGNORED = new Effects(false, List.of(), List.of(), List.of(), List.of());
}
