package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Refusal;
import dev.muster.scheduler.core.state.PodTerms.Stance;

/**
 * Topology spread constraints that must hold ({@code whenUnsatisfiable: DoNotSchedule}), for one kind of pod: with the pod
 * counted at the node's place, that place has at most {@code maxSkew} more of them than the place with the fewest
 * (kube-scheduler PodTopologySpread, Filter).
 */
public final class SpreadFilter {
    private final SpreadPlaces spread;
    private final int[] fewest;

    public SpreadFilter(InternedRequirement requirement, Stance stance, ClusterState cluster, PodTerms terms) {
        this.spread = new SpreadPlaces(requirement, stance, cluster, terms, true);
        this.fewest = new int[spread.constraints().size()];
        look();
    }

    private void look() {
        for (int i = 0; i < fewest.length; i++) {
            fewest[i] = spread.constraints().get(i).fewest();
        }
    }

    /** What keeps such a pod from a node; null where nothing does. */
    public Refusal refusal(NodeState node) {
        if (fewest.length == 0) {
            return null;
        }
        SpreadPlaces.Place[] places = spread.at(node);
        if (places == null) {
            return new Refusal(Refusal.SPREAD_LABEL, spread.missingKey(node));
        }
        for (int i = 0; i < fewest.length; i++) {
            SpreadPlaces.Counted counted = spread.constraints().get(i);
            SpreadConstraint constraint = counted.constraint();
            if ((long) places[i].pods() + counted.itself() - fewest[i] > constraint.maxSkew()) {
                return new Refusal(Refusal.SPREAD, constraint.topologyKey());
            }
        }
        return null;
    }

    /** A pod of this kind has been placed on the node. */
    public void placed(NodeState node) {
        spread.placed(node);
        look();
    }
}
