package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.WorkloadView;
import java.util.List;
import java.util.stream.Collectors;

/**
 * State and reason of a workload; where several have the name, of each.
 *
 * @param state empty for any
 * @param reason empty for any
 */
public record WorkloadCondition(Glob path, String state, String reason) implements Condition {
    /** States of the format. */
    public static final List<String> STATES =
            List.of("Pending", "Suspended", "Admitted", "Running", "Completed", "Failed", "Aborted", "Terminated");

    @Override
    public Verdict judge(Clusters clusters) {
        List<WorkloadView> found = clusters.workloads(path);
        if (found.isEmpty()) {
            return Verdict.absent("it does not exist").withMissing(true, "no workload " + path + " ever existed");
        }
        String seen = found.stream().map(this::seen).distinct().collect(Collectors.joining(", "));
        return Verdict.of(found.stream().allMatch(this::holds), seen);
    }

    private boolean holds(WorkloadView workload) {
        return (state.isEmpty() || workload.state().equals(state))
                && (reason.isEmpty() || workload.reasons().contains(reason));
    }

    private String seen(WorkloadView workload) {
        if (reason.isEmpty()) {
            return workload.state();
        }
        String reasons = workload.reasons().isEmpty() ? "no reason" : String.join(", ", workload.reasons());
        return state.isEmpty() ? reasons : workload.state() + ", " + reasons;
    }

    @Override
    public String toString() {
        String both = !state.isEmpty() && !reason.isEmpty() ? " and " : " ";
        return "workload " + path + (state.isEmpty() ? "" : " is " + state)
                + (reason.isEmpty() ? "" : both + "reason " + reason);
    }
}
