package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.Wish.SliceTier;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Candidates of the requirements that were placed last, kept from round to round. A memory only: with or without it every
 * pod goes to the same node.
 */
final class CandidateIndex {
    private static final int MOST = 64;

    private final Map<Asked, Candidates> kept = new Latest<>();
    private final Map<Counted, DomainCounts> counts = new Latest<>();
    private final Map<Asked, RoomTotal> totals = new Latest<>();

    /** Keeps those that were asked for last. */
    private static final class Latest<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        private Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MOST;
        }
    }

    private record Asked(Profile profile, ClusterState cluster, InternedRequirement requirement) {}

    private record Counted(
            Profile profile, TopologyTree tree, InternedRequirement requirement, List<SliceTier> slices) {}

    /** How many pods with a requirement the domains of a tree have room for now, in whole slices. */
    Capacity counts(
            Profile profile,
            ClusterState cluster,
            TopologyTree tree,
            InternedRequirement requirement,
            List<SliceTier> slices) {
        Counted asked = new Counted(profile, tree, requirement, slices);
        DomainCounts known = counts.get(asked);
        if (known == null) {
            known = new DomainCounts(profile, cluster, tree, requirement, slices);
            counts.put(asked, known);
        }
        return known.now();
    }

    /** How many pods with a requirement a cluster has room for now, each node counted by itself. */
    long total(Profile profile, ClusterState cluster, InternedRequirement requirement) {
        return totals(profile, cluster, requirement).now();
    }

    /** The same, to be asked again and again. */
    RoomTotal totals(Profile profile, ClusterState cluster, InternedRequirement requirement) {
        Asked asked = new Asked(profile, cluster, requirement);
        RoomTotal known = totals.get(asked);
        if (known == null) {
            known = new RoomTotal(profile, cluster, requirement);
            totals.put(asked, known);
        }
        return known;
    }

    Candidates of(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        Asked asked = new Asked(profile, cluster, requirement);
        Candidates candidates = kept.get(asked);
        if (candidates == null) {
            candidates = new Candidates(state, profile, cluster, requirement);
            kept.put(asked, candidates);
        }
        return candidates;
    }
}
