package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.TermGroup;
import java.util.List;

/**
 * Preferred pod affinity and anti-affinity in both directions, for one kind of pod (kube-scheduler InterPodAffinity, Score
 * and NormalizeScore): for each node, the weights of the pod's own preferred terms times the pods they select at its place,
 * and the weights of the terms that pods at its place have about this one: preferred ones, and required affinity with weight 1.
 * The least sum scores 0, the greatest 10,000.
 */
public final class AffinityScore {
    private final List<TermGroup.Weighted> wishes;
    private final Stance stance;

    public AffinityScore(InternedRequirement requirement, Stance stance, ClusterState cluster, PodTerms terms) {
        this.wishes = terms.wishesOf(requirement, cluster);
        this.stance = stance;
    }

    /** Whether no node can be told from another. */
    public boolean none() {
        return wishes.isEmpty() && stance.selecting().stream().noneMatch(TermGroup::pulls);
    }

    /** The scores of the nodes that a pod could go to, 0 to 10,000. */
    public long[] scores(List<NodeState> nodes) {
        long[] sums = new long[nodes.size()];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int n = 0; n < sums.length; n++) {
            sums[n] = sum(nodes.get(n));
            least = Math.min(least, sums[n]);
            most = Math.max(most, sums[n]);
        }
        for (int n = 0; n < sums.length; n++) {
            sums[n] = most > least ? (sums[n] - least) * ScoreRule.BEST / (most - least) : 0;
        }
        return sums;
    }

    private long sum(NodeState node) {
        long sum = 0;
        for (TermGroup.Weighted wish : wishes) {
            sum += wish.weight() * wish.group().selectedAt(node);
        }
        for (TermGroup group : stance.selecting()) {
            sum += group.pullAt(node);
        }
        return sum;
    }
}
