package dev.muster.standalone.scenario.observe;

import java.util.List;

/**
 * A job, pod group or Workload as it is now.
 *
 * @param state one of the states of the format, or the phase as its controller wrote it while it is in between
 * @param reasons reason codes that the scheduler gives for its waiting, sorted; empty where it gives none
 */
public record WorkloadView(
        String cluster, String kind, String namespace, String name, String state, List<String> reasons) {
    public WorkloadView {
        reasons = List.copyOf(reasons);
    }
}
