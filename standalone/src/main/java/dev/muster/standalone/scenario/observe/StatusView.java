package dev.muster.standalone.scenario.observe;

import dev.muster.schemas.status.Condition;
import java.util.List;

/**
 * What the scheduler says of a workload.
 *
 * @param name name for people: of the job that owns the group where there is one
 * @param object name of the group object, or of the pod
 * @param code reason code; empty while there is nothing to explain
 * @param state as topic workload-status names it
 * @param phase of Volcano's PodGroup; empty for others
 * @param conditions Volcano's and Kueue's; of each the time from the beginning of the run
 */
public record StatusView(
        String cluster,
        String namespace,
        String kind,
        String name,
        String object,
        String code,
        String message,
        String state,
        String phase,
        List<Condition> conditions) {
    public StatusView {
        conditions = List.copyOf(conditions);
    }
}
