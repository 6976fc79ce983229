package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import java.util.List;

/** Which rules place a workload: filters in the order they are asked, scores with their weights. */
public record Profile(String name, List<FilterRule> filters, List<Weighted> scores) {
    /** A score rule and how much it counts. */
    public record Weighted(ScoreRule rule, int weight) {}

    public Profile {
        filters = List.copyOf(filters);
        scores = List.copyOf(scores);
        if (filters.size() > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("a profile has at most 127 filters, not " + filters.size());
        }
    }

    /** The first filter that keeps such a pod from the node; null when all let it pass. Amounts are not looked at. */
    public FilterRule refusedBy(InternedRequirement requirement, NodeState node) {
        int byClass = requirement.namesNodes() ? -1 : requirement.classVerdict(node.classId());
        if (byClass < 0) {
            byClass = classVerdict(requirement, node);
            if (!requirement.namesNodes()) {
                requirement.rememberClassVerdict(node.classId(), byClass);
            }
        }
        for (FilterRule filter : filters) {
            if (!filter.classOnly() && !filter.passes(requirement, node)) {
                return filter;
            }
        }
        return byClass == 0 ? null : filters.get(byClass - 1);
    }

    /** Whether only what changes by itself (readiness, cordons, health, load) could keep such a pod from the node. */
    public boolean couldTake(InternedRequirement requirement, NodeState node) {
        return classVerdict(requirement, node) == 0;
    }

    /** 0 when every filter that looks only at the class lets it pass, otherwise 1 + the place of the one that does not. */
    private int classVerdict(InternedRequirement requirement, NodeState node) {
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i).classOnly() && !filters.get(i).passes(requirement, node)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The weighted mean of the scores, 0 to 10,000. */
    public long score(InternedRequirement requirement, NodeState node, DomainState state) {
        long sum = 0;
        long weights = 0;
        for (Weighted weighted : scores) {
            sum += weighted.weight() * weighted.rule().score(requirement, node, state);
            weights += weighted.weight();
        }
        return weights == 0 ? 0 : sum / weights;
    }
}
