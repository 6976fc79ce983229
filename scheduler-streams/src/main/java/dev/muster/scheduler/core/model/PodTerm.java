package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.Map;

/**
 * A term of required pod affinity or anti-affinity (core/v1 PodAffinityTerm): pods in these namespaces with labels like
 * these, on nodes that share a value of one label.
 *
 * @param topologyKey label of nodes; those with the same value are one place
 * @param selector all must hold for a pod's labels; none selects every pod
 * @param namespaces names of namespaces, sorted
 * @param byLabels whether namespaces are chosen by their labels, too
 * @param namespaceSelector then: all must hold for a namespace's labels; none chooses every namespace
 */
public record PodTerm(
        String topologyKey,
        List<NodeExpression> selector,
        List<String> namespaces,
        boolean byLabels,
        List<NodeExpression> namespaceSelector) {
    public PodTerm {
        selector = List.copyOf(selector);
        namespaces = List.copyOf(namespaces);
        namespaceSelector = List.copyOf(namespaceSelector);
    }

    /** Whether a pod with these labels in that namespace is one that the term speaks of. */
    public boolean selects(String namespace, Map<String, String> namespaceLabels, Map<String, String> labels) {
        boolean there =
                namespaces.contains(namespace) || byLabels && NodeExpression.all(namespaceSelector, namespaceLabels);
        return there && NodeExpression.all(selector, labels);
    }
}
