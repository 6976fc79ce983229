package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import java.util.Arrays;
import java.util.List;

/** Which rules place a workload: filters, and scores with their weights. Used by one thread. */
public final class Profile {
    private final String name;
    private final FilterRule[] byClass;
    private final FilterRule[] byNode;
    private final Weighted[] scores;
    /** What was scored last, and the rules that have a say for it: nodes are scored many at a time for one requirement. */
    private InternedRequirement scored;

    private Weighted[] concerned = {};

    /** A score rule and how much it counts. */
    public record Weighted(ScoreRule rule, int weight) {}

    /** Filters that look at the node's own state are asked first, then those that look only at its class. */
    Profile(String name, List<FilterRule> filters, List<Weighted> scores) {
        if (filters.size() >= Byte.MAX_VALUE) {
            throw new IllegalArgumentException("a profile has fewer than 127 filters, not " + filters.size());
        }
        this.name = name;
        this.byClass = filters.stream().filter(FilterRule::classOnly).toArray(FilterRule[]::new);
        this.byNode = filters.stream().filter(filter -> !filter.classOnly()).toArray(FilterRule[]::new);
        this.scores = scores.toArray(Weighted[]::new);
    }

    /** Name, as policies give it. */
    public String name() {
        return name;
    }

    /** The first filter that keeps such a pod from the node; null when all let it pass. Amounts are not looked at. */
    public FilterRule refusedBy(InternedRequirement requirement, NodeState node) {
        for (FilterRule filter : byNode) {
            if (!filter.passes(requirement, node)) {
                return filter;
            }
        }
        int verdict = requirement.namesNodes() ? -1 : requirement.classVerdict(node.classId());
        if (verdict < 0) {
            verdict = classVerdict(requirement, node);
            if (!requirement.namesNodes()) {
                requirement.rememberClassVerdict(node.classId(), verdict);
            }
        }
        return verdict == 0 ? null : byClass[verdict - 1];
    }

    /** Whether only what changes by itself (readiness, cordons, health, load) could keep such a pod from the node. */
    public boolean couldTake(InternedRequirement requirement, NodeState node) {
        return classVerdict(requirement, node) == 0;
    }

    /** 0 when every filter that looks only at the class lets it pass, otherwise 1 + the place of the one that does not. */
    private int classVerdict(InternedRequirement requirement, NodeState node) {
        for (int i = 0; i < byClass.length; i++) {
            if (!byClass[i].passes(requirement, node)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The sum of the scores, each times its weight. */
    public long score(InternedRequirement requirement, NodeState node, DomainState state) {
        if (requirement != scored) {
            scored = requirement;
            concerned = Arrays.stream(scores)
                    .filter(weighted -> weighted.rule().concerns(requirement))
                    .toArray(Weighted[]::new);
        }
        long sum = 0;
        for (Weighted weighted : concerned) {
            sum += weighted.weight() * weighted.rule().score(requirement, node, state);
        }
        return sum;
    }
}
