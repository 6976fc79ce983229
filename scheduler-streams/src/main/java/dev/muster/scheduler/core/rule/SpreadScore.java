package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import java.util.List;

/**
 * Topology spread constraints that only score ({@code whenUnsatisfiable: ScheduleAnyway}), for one kind of pod
 * (kube-scheduler PodTopologySpread, Score and NormalizeScore): the sum over the constraints of the pods at the node's place,
 * weighted by ln(places + 2) so that constraints with many places are not drowned, plus maxSkew - 1, which lets a larger
 * skew blur small differences. The lowest sum is the best. In thousandths, not rounded to whole numbers as there.
 *
 * <p>Constraints that kube-scheduler makes up for pods without any, from services and replica sets, are not known here.
 */
public final class SpreadScore {
    private static final long MILLI = 1_000;
    /** More pods than any place has; keeps sums from overflowing. */
    private static final int LARGEST_SKEW = 1 << 24;

    private final SpreadPlaces spread;
    private long looks;

    public SpreadScore(InternedRequirement requirement, Stance stance, ClusterState cluster, PodTerms terms) {
        this.spread = new SpreadPlaces(requirement, stance, cluster, terms, false);
    }

    /** Whether there is nothing to score. */
    public boolean none() {
        return spread.constraints().isEmpty();
    }

    /** The scores of the nodes that a pod could go to, 0 to 10,000. */
    public long[] scores(List<NodeState> nodes) {
        long[] weights = weights(nodes);
        long[] sums = new long[nodes.size()];
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int n = 0; n < sums.length; n++) {
            SpreadPlaces.Place[] places = spread.at(nodes.get(n));
            sums[n] = places == null ? -1 : sum(places, weights);
            if (places != null) {
                least = Math.min(least, sums[n]);
                most = Math.max(most, sums[n]);
            }
        }
        for (int n = 0; n < sums.length; n++) {
            // A node that lacks a topology key comes last.
            sums[n] = sums[n] < 0 ? 0 : most == 0 ? ScoreRule.BEST : ScoreRule.BEST * (most + least - sums[n]) / most;
        }
        return sums;
    }

    private long sum(SpreadPlaces.Place[] places, long[] weights) {
        long sum = 0;
        for (int i = 0; i < places.length; i++) {
            int maxSkew = spread.constraints().get(i).constraint().maxSkew();
            sum += places[i].pods() * weights[i] + (Math.min(maxSkew, LARGEST_SKEW) - 1) * MILLI;
        }
        return sum;
    }

    /** By the number of places that the nodes are at. */
    private long[] weights(List<NodeState> nodes) {
        looks++;
        int[] sizes = new int[spread.constraints().size()];
        for (NodeState node : nodes) {
            SpreadPlaces.Place[] places = spread.at(node);
            for (int i = 0; places != null && i < sizes.length; i++) {
                if (places[i].seenBy != looks) {
                    places[i].seenBy = looks;
                    sizes[i]++;
                }
            }
        }
        long[] weights = new long[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            weights[i] = lnMilli(sizes[i] + 2);
        }
        return weights;
    }

    /** The natural logarithm in thousandths, by repeated squaring: no floating point in a decision. */
    static long lnMilli(int of) {
        int whole = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(of);
        long fraction = 0;
        long x = ((long) of << 30) >> whole; // in [1, 2), 30 binary places
        for (int place = 0; place < 20; place++) {
            x = (x * x) >> 30;
            fraction <<= 1;
            if (x >= 2L << 30) {
                x >>= 1;
                fraction++;
            }
        }
        long log2 = ((long) whole << 20) + fraction;
        return (log2 * 693_147 + (500L << 20)) / (1_000L << 20);
    }

    /** A pod of this kind has been placed on the node. */
    public void placed(NodeState node) {
        spread.placed(node);
    }
}
