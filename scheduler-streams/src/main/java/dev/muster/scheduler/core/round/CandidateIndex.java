package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import java.util.LinkedHashMap;

/**
 * Candidates of the requirements that were placed last, kept from round to round. A memory only: with or without it every
 * pod goes to the same node.
 */
final class CandidateIndex {
    private static final int MOST = 64;

    /** Those asked for last come last. */
    private final LinkedHashMap<Asked, Candidates> kept = new LinkedHashMap<>();

    private Profile keptFor;

    private record Asked(ClusterState cluster, InternedRequirement requirement) {}

    Candidates of(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        if (keptFor != profile) {
            kept.clear();
            keptFor = profile;
        }
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
