package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What a pod says of the places of other pods.
 *
 * @param affinity required pod affinity: each term must hold by pods that all of them speak of
 * @param antiAffinity required pod anti-affinity: no term may hold
 * @param spread topology spread constraints
 */
public record PodRules(List<PodTerm> affinity, List<PodTerm> antiAffinity, List<SpreadConstraint> spread) {
    /** Says nothing. */
    public static final PodRules NONE = new PodRules(List.of(), List.of(), List.of());

    public PodRules {
        affinity = List.copyOf(affinity);
        antiAffinity = List.copyOf(antiAffinity);
        spread = List.copyOf(spread);
    }

    /** Whether it says nothing. */
    public boolean none() {
        return affinity.isEmpty() && antiAffinity.isEmpty() && spread.isEmpty();
    }
}
