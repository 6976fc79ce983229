package dev.muster.scheduler.core.model;

/**
 * A preferred term of pod affinity or anti-affinity (core/v1 WeightedPodAffinityTerm).
 *
 * @param weight 1 to 100 where being near such pods is wanted, -1 to -100 where it is not
 */
public record PreferredPodTerm(int weight, PodTerm term) {
    public PreferredPodTerm {
        if (weight == 0 || weight < -100 || weight > 100) {
            throw new IllegalArgumentException("weight must be 1..100 or -100..-1, was " + weight);
        }
    }
}
