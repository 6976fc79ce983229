package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The PodDisruptionBudgets of a cluster, and how many more pods each lets go: what its status allows, less evictions that are
 * decided and not seen yet. As in the Eviction API, only pods that run count, and a pod that more than one budget covers
 * can't be evicted at all.
 */
public final class DisruptionBudgets {
    private final List<Budget> budgets = new ArrayList<>();
    private final Map<Budget, Integer> allowed = new HashMap<>();

    /** A budget. */
    public record Budget(String namespace, String name, List<NodeExpression> selector) {
        private boolean covers(PodState pod) {
            return namespace.equals(pod.namespace()) && NodeExpression.all(selector, pod.facts.labels());
        }
    }

    public DisruptionBudgets(DomainState state, ClusterState cluster) {
        String prefix = Kinds.DISRUPTION_BUDGET + "/" + cluster.name() + "/";
        for (Row.PolicyObject row : state.policies.tailMap(prefix).values()) {
            if (!row.key().startsWith(prefix)) {
                break;
            }
            if (row.policy() instanceof Policy.DisruptionBudget facts) {
                Budget budget =
                        new Budget(row.origin().namespace(), row.origin().name(), facts.selector());
                budgets.add(budget);
                allowed.put(budget, facts.disruptionsAllowed());
            }
        }
        if (!budgets.isEmpty()) {
            countDecided(state, cluster.name());
        }
    }

    private void countDecided(DomainState state, String cluster) {
        for (Hold hold : state.kept.values()) {
            for (String uid : hold.cluster.equals(cluster) ? hold.kept.victims : List.<String>of()) {
                PodState pod = state.pods.get(new PodId(cluster, uid));
                if (pod != null && pod.node != null && !pod.facts.deleting()) {
                    covering(pod).forEach(budget -> allowed.merge(budget, -1, Integer::sum));
                }
            }
        }
    }

    /** Whether there is none. */
    public boolean none() {
        return budgets.isEmpty();
    }

    /** Budgets that cover a member's pod. */
    public List<Budget> of(Member member) {
        return covering(member.pod);
    }

    private List<Budget> covering(PodState pod) {
        if (budgets.isEmpty() || !pod.facts.phase().equals("Running")) {
            return List.of();
        }
        return budgets.stream().filter(budget -> budget.covers(pod)).toList();
    }

    /** How many more of its pods a budget lets go; below zero where more were let go than it allows. */
    public int allowed(Budget budget) {
        return allowed.get(budget);
    }
}
