package dev.muster.scheduler.core.decision;

import java.util.List;

/**
 * Why a workload is where it is.
 *
 * @param code stable code (docs/reasons.md); empty while there is nothing to explain
 * @param message one sentence with the numbers
 * @param details the evidence, most nodes first
 */
public record Reason(String code, String message, List<Detail> details) {
    /** Nothing to explain. */
    public static final Reason NONE = new Reason("", "", List.of());

    public Reason {
        details = List.copyOf(details);
    }

    /**
     * One number of a reason.
     *
     * @param rule the rule that removed nodes
     * @param nodes how many nodes it was the first to remove
     * @param subject resource or key it is about; may be empty
     * @param asked amount asked by one pod; 0 where the rule has no amounts
     * @param largestFree largest amount free on one of those nodes
     * @param workloads how many workloads a guard of preemption kept from being evicted
     */
    public record Detail(String rule, int nodes, String subject, long asked, long largestFree, int workloads) {
        /** Of a rule that removes nodes. */
        public Detail(String rule, int nodes, String subject, long asked, long largestFree) {
            this(rule, nodes, subject, asked, largestFree, 0);
        }
    }
}
