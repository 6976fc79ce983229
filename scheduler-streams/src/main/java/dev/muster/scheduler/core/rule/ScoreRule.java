package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;

/** Says how good a node is for a pod that fits there: 0 to 10,000, more is better. */
public interface ScoreRule {
    /** The best score. */
    long BEST = 10_000;

    /** Name in profiles. */
    String name();

    /** Whether it has a say for such pods; otherwise it does not count for them. */
    default boolean concerns(InternedRequirement requirement) {
        return true;
    }

    /** The score. */
    long score(InternedRequirement requirement, NodeState node, DomainState state);
}
