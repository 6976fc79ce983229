package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.Map;

/**
 * How evenly pods like these are to be spread over places (core/v1 TopologySpreadConstraint, {@code matchLabelKeys} written
 * into the selector).
 *
 * @param maxSkew how many more of them a place may have than the place with the fewest, 1 or more
 * @param topologyKey label of nodes; those with the same value are one place
 * @param required whenUnsatisfiable is DoNotSchedule; otherwise ScheduleAnyway, which only scores
 * @param namespace the pod's own, the only one whose pods are counted; empty where the selector is missing or empty, by which
 *     kube-scheduler counts no pod at all
 * @param selector all must hold for a pod's labels
 * @param minDomains with fewer places than this the fewest is taken to be 0
 * @param honorAffinity places are those of nodes that the pod's node selector and required node affinity allow
 * @param honorTaints places are those of nodes whose taints the pod tolerates
 */
public record SpreadConstraint(
        int maxSkew,
        String topologyKey,
        boolean required,
        String namespace,
        List<NodeExpression> selector,
        int minDomains,
        boolean honorAffinity,
        boolean honorTaints) {
    public SpreadConstraint {
        selector = List.copyOf(selector);
        if (maxSkew < 1 || minDomains < 1) {
            throw new IllegalArgumentException(
                    "maxSkew and minDomains must be 1 or more, were " + maxSkew + " and " + minDomains);
        }
    }

    /** Whether a pod with these labels in that namespace is one of those that are counted. */
    public boolean counts(String podNamespace, Map<String, String> labels) {
        return !namespace.isEmpty() && namespace.equals(podNamespace) && NodeExpression.all(selector, labels);
    }
}
