package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.List;
import java.util.function.Function;

/**
 * Which domains of a tree may hold pods together: those of the nearest tier first, up to the farthest. Where the farthest is
 * that of the whole tree, the pods are placed wherever there is room in it, as near to each other as that allows.
 *
 * @param level name of the level it is about, for reasons
 * @param nearest tier to begin with
 * @param farthest highest tier that will do
 * @param slices so many pods each share a domain of a nearer tier; the highest tier first
 * @param leastFree nodes and domains with the least room first, so that few are begun
 * @param balanced pods are to be divided evenly inside one domain of the tier above the nearest, where that can be
 */
record Wish(
        TopologyTree tree,
        String level,
        int nearest,
        int farthest,
        List<SliceTier> slices,
        boolean leastFree,
        boolean balanced) {
    Wish(TopologyTree tree, String level, int nearest, int farthest, List<SliceTier> slices, boolean leastFree) {
        this(tree, level, nearest, farthest, slices, leastFree, false);
    }

    /** So many pods share a domain of a tier. */
    record SliceTier(int tier, int size) {
        /** The room of a domain of a tier, in whole slices where it holds such; the widest slices come first. */
        static long whole(List<SliceTier> slices, int tier, long room) {
            if (slices.isEmpty()) {
                return room;
            }
            long whole = room;
            for (SliceTier slice : slices.reversed()) {
                whole -= slice.tier == tier ? whole % slice.size : 0;
            }
            return whole;
        }
    }

    /**
     * What a pod set asks for, as Kueue understands it: a domain of exactly the required level; of the preferred level or
     * the next wider, up to all of them; any nodes of the topology, those with the least room first. With both, as KAI
     * allows, of the preferred level or the next wider, up to the required one.
     *
     * @return null where the cluster has no topology with such levels
     */
    static Wish of(PodSetTopology asked, ClusterState cluster) {
        TopologyTree tree = asked.level().isEmpty()
                ? cluster.topologies().any()
                : cluster.topologies().withLevel(asked.level());
        if (tree == null) {
            return null;
        }
        int whole = tree.tier(0);
        int tier = asked.level().isEmpty() ? whole : tree.tierOf(asked.level());
        int narrowest = Integer.MAX_VALUE;
        for (PodSetTopology.Slice slice : asked.slices()) {
            int sliceTier = tree.tierOf(slice.level());
            if (sliceTier < 0 || sliceTier > narrowest) {
                return null;
            }
            narrowest = sliceTier;
        }
        List<SliceTier> slices = asked.slices().stream()
                .map(slice -> new SliceTier(tree.tierOf(slice.level()), slice.size()))
                .toList();
        if (!asked.required().isEmpty()) {
            int preferred = asked.preferred().isEmpty() ? tier : tree.tierOf(asked.preferred());
            return preferred < 0 || preferred > tier
                    ? null
                    : new Wish(tree, asked.required(), preferred, tier, slices, false);
        }
        if (!asked.preferred().isEmpty()) {
            return new Wish(tree, asked.preferred(), tier, whole, slices, false, asked.balanced());
        }
        return new Wish(tree, asked.level(), whole, whole, slices, asked.unconstrained());
    }

    /**
     * What a gang or subgroup asks of the HyperNodes, as Volcano understands it: the nearest tier that has room, up to the
     * highest that is allowed; without a limit up to the whole cluster.
     *
     * @return null where no HyperNode has the tier that is named
     */
    static Wish of(NetworkTopology asked, ClusterState cluster) {
        TopologyTree tree = cluster.topologies().network();
        int farthest = tree.tier(0);
        String level = "HyperNode";
        if (asked.limits()) {
            int named = asked.highestTierName().isEmpty() ? asked.highestTier() : tree.tierOf(asked.highestTierName());
            if (named < 0) {
                return null;
            }
            farthest = Math.min(farthest, named);
            level = asked.highestTierName().isEmpty() ? "tier " + named : asked.highestTierName();
        }
        return new Wish(tree, level, 0, farthest, List.of(), false);
    }

    /** The nearest domain that has room, for pods that ask for nothing, of the tree by which the cluster's pods are placed. */
    static Wish nearest(ClusterState cluster) {
        TopologyTree labelled = cluster.topologies().any();
        TopologyTree tree = labelled == null ? cluster.topologies().network() : labelled;
        return new Wish(tree, "", 0, tree.tier(0), List.of(), false);
    }

    /** What pods of a subgroup ask for; null where nothing, or where no HyperNode has the tier that is named. */
    static Wish of(SubGroupPolicy policy, ClusterState cluster) {
        return policy.topology() == null ? null : of(policy.topology(), cluster);
    }

    /** Whether these nodes, one for each pod in the order of their ranks, are what it asks for. */
    boolean isGranted(List<Member> pods, Function<Member, NodeState> nodes) {
        if (!shareDomain(pods, nodes, farthest)) {
            return false;
        }
        for (SliceTier slice : slices) {
            for (int from = 0, to; from < pods.size(); from = to) {
                to = from;
                while (to < pods.size()
                        && pods.get(to).index() / slice.size() == pods.get(from).index() / slice.size()) {
                    to++;
                }
                if (!shareDomain(pods.subList(from, to), nodes, slice.tier())) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean shareDomain(List<Member> pods, Function<Member, NodeState> nodes, int highest) {
        int common = -1;
        for (Member pod : pods) {
            int number = tree.numberOf(nodes.apply(pod));
            if (number < 0) {
                return false;
            }
            int domain = tree.domainOf(number);
            common = common < 0 ? domain : tree.common(common, domain);
        }
        return common < 0 || tree.tier(common) <= highest;
    }

    /** The same for one slice of it: a domain of exactly that tier. */
    Wish ofSlice(SliceTier slice) {
        return new Wish(tree, tree.levelOf(slice.tier()), slice.tier(), slice.tier(), List.of(), false);
    }

    /** Whether pods may be anywhere in the tree if there is no other way. */
    boolean anywhere() {
        return farthest >= tree.tier(0);
    }

    /** Pods that are placed in whole units inside domains up to a tier: the size of the widest slices there, or 1. */
    int unit(int tier) {
        for (SliceTier slice : slices) {
            if (slice.tier() <= tier) {
                return slice.size();
            }
        }
        return 1;
    }
}
