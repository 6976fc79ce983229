package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;

/**
 * Says whether a node can take a pod at all, amounts of resources apart (those are counted, see {@link Fit}). A rule looks
 * at nothing but the requirement and the node.
 */
public interface FilterRule {
    /** Name in reasons and profiles. */
    String name();

    /**
     * True when the verdict follows from labels and taints alone, so that it is the same for all nodes of a class and is
     * worked out once for each.
     */
    boolean classOnly();

    /** Whether the node passes. */
    boolean passes(InternedRequirement requirement, NodeState node);

    /** What of the node is at fault: a key or a field; may be empty. Asked only for nodes that did not pass. */
    default String subject(InternedRequirement requirement, NodeState node) {
        return "";
    }
}
