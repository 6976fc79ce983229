package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.LinkedHashMap;

/**
 * Candidates of the requirements that were placed last, kept from round to round. A memory only: with or without it every
 * pod goes to the same node.
 */
final class CandidateIndex {
    private static final int MOST = 64;

    /** Those asked for last come last. */
    private final LinkedHashMap<Asked, Candidates> kept = new LinkedHashMap<>();

    private final LinkedHashMap<Counted, DomainCounts> counts = new LinkedHashMap<>();

    private Profile keptFor;

    private record Asked(ClusterState cluster, InternedRequirement requirement) {}

    private record Counted(TopologyTree tree, InternedRequirement requirement) {}

    /** How many pods with a requirement the domains of a tree have room for now. */
    Capacity counts(Profile profile, ClusterState cluster, TopologyTree tree, InternedRequirement requirement) {
        forgetOthers(profile);
        Counted asked = new Counted(tree, requirement);
        DomainCounts known = counts.remove(asked);
        if (known == null) {
            known = new DomainCounts(profile, cluster, tree, requirement);
            if (counts.size() == MOST) {
                counts.pollFirstEntry();
            }
        }
        counts.putLast(asked, known);
        return known.now();
    }

    private void forgetOthers(Profile profile) {
        if (keptFor != profile) {
            kept.clear();
            counts.clear();
            keptFor = profile;
        }
    }

    Candidates of(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        forgetOthers(profile);
        Asked asked = new Asked(cluster, requirement);
        Candidates candidates = kept.remove(asked);
        if (candidates == null) {
            candidates = new Candidates(state, profile, cluster, requirement);
            if (kept.size() == MOST) {
                kept.pollFirstEntry();
            }
        }
        kept.putLast(asked, candidates);
        return candidates;
    }
}
