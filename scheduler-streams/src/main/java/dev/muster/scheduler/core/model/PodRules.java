package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What a pod says of the places of other pods.
 *
 * @param affinity required pod affinity: each term must hold by pods that all of them speak of
 * @param antiAffinity required pod anti-affinity: no term may hold
 * @param preferred preferred pod affinity and anti-affinity, which only score
 * @param spread topology spread constraints
 */
public record PodRules(
        List<PodTerm> affinity,
        List<PodTerm> antiAffinity,
        List<PreferredPodTerm> preferred,
        List<SpreadConstraint> spread) {
    /** Says nothing. */
    public static final PodRules NONE = new PodRules(List.of(), List.of(), List.of(), List.of());

    public PodRules {
        affinity = List.copyOf(affinity);
        antiAffinity = List.copyOf(antiAffinity);
        preferred = List.copyOf(preferred);
        spread = List.copyOf(spread);
    }

    /** Whether any of it can keep the pod from a node. */
    public boolean restrict() {
        return !affinity.isEmpty() || !antiAffinity.isEmpty() || spread.stream().anyMatch(SpreadConstraint::required);
    }

    /** Whether it says nothing. */
    public boolean none() {
        return affinity.isEmpty() && antiAffinity.isEmpty() && preferred.isEmpty() && spread.isEmpty();
    }
}
