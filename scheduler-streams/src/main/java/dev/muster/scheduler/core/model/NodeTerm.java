package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.Map;

/** A node selector term: all expressions must hold; without expressions it matches nothing, as in Kubernetes. */
public record NodeTerm(List<NodeExpression> expressions) {
    public NodeTerm {
        expressions = List.copyOf(expressions);
    }

    /** Whether a node with these labels and this name satisfies every expression. */
    public boolean matches(Map<String, String> labels, String nodeName) {
        if (expressions.isEmpty()) {
            return false;
        }
        for (NodeExpression expression : expressions) {
            if (!expression.matches(labels, nodeName)) {
                return false;
            }
        }
        return true;
    }
}
