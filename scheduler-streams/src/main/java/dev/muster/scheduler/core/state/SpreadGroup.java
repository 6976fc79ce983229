package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.SpreadConstraint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pods that topology spread constraints count, by node: which nodes make up a place is another matter for each kind of pod
 * that has such constraints (its node affinity, its tolerations, the labels its other constraints want).
 */
public final class SpreadGroup extends PodGroup {
    private final Key key;
    private final Map<NodeState, Integer> byNode = new HashMap<>();
    /** Pods, waiting and placed, for which the constraint must hold. */
    int required;

    record Key(String cluster, String namespace, List<NodeExpression> selector) {
        static Key of(String cluster, SpreadConstraint constraint) {
            return new Key(cluster, constraint.namespace(), constraint.selector());
        }
    }

    SpreadGroup(Key key) {
        super(key.cluster());
        this.key = key;
    }

    Key key() {
        return key;
    }

    @Override
    NodeExpression handle() {
        return handle(key.selector());
    }

    @Override
    boolean looksAtNamespaces() {
        return false;
    }

    @Override
    boolean selects(SeenPod pod, Map<String, String> namespaceLabels) {
        return !pod.leaving()
                && !key.namespace().isEmpty()
                && key.namespace().equals(pod.namespace())
                && NodeExpression.all(key.selector(), pod.labels());
    }

    @Override
    void countSelected(NodeState node, int sign) {
        if (node.facts() != null) {
            byNode.merge(node, sign, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /** How many of its pods are on the node, room held for them included. */
    public int at(NodeState node) {
        return byNode.getOrDefault(node, 0);
    }

    boolean sameAs(SpreadGroup other) {
        return references == other.references && required == other.required && byNode.equals(other.byNode);
    }

    @Override
    public String toString() {
        return references + " pods with " + key + ", of which " + required + " require it, counted " + byNode.values();
    }
}
