package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * A selector of a HyperNode's members.
 *
 * @param hyperNode whether it selects HyperNodes; otherwise nodes
 * @param match what it goes by
 * @param name name or regular expression, by what it goes
 * @param labels all must hold for a node's labels; none selects every node
 */
public record HyperNodeMember(boolean hyperNode, Match match, String name, List<NodeExpression> labels) {
    public HyperNodeMember {
        labels = List.copyOf(labels);
    }

    /** What a selector goes by. */
    public enum Match {
        /** One name. */
        NAME,
        /** A regular expression that is found somewhere in the name. */
        PATTERN,
        /** Labels; selects nodes only. */
        LABELS
    }
}
