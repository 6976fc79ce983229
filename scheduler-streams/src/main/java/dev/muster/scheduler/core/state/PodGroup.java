package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeExpression;
import java.util.List;
import java.util.Map;

/** Pods of one member cluster that rules of other pods speak of, counted where they are. */
abstract sealed class PodGroup permits TermGroup, SpreadGroup {
    private final String cluster;
    /** Pods, waiting and placed, whose requirement has these rules. */
    int references;

    PodGroup(String cluster) {
        this.cluster = cluster;
    }

    final String cluster() {
        return cluster;
    }

    /** A label that every pod of the group has; null where that can't be told. */
    abstract NodeExpression handle();

    /** Whether membership depends on the labels of namespaces. */
    abstract boolean looksAtNamespaces();

    abstract boolean selects(SeenPod pod, Map<String, String> namespaceLabels);

    /** One of its pods, or room held for one, is on the node from now on, or (-1) no longer. */
    abstract void countSelected(NodeState node, int sign);

    static NodeExpression handle(List<NodeExpression> selector) {
        for (NodeExpression expression : selector) {
            if (expression.operator().equals("In") && expression.values().size() == 1) {
                return expression;
            }
        }
        return null;
    }
}
