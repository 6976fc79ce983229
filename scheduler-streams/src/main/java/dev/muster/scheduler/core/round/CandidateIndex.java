package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Candidates of the requirements that were placed last, kept from round to round. A memory only: with or without it every
 * pod goes to the same node.
 */
final class CandidateIndex {
    private static final int MOST = 64;

    private final Map<Asked, Candidates> kept = new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Candidates> eldest) {
            return size() > MOST;
        }
    };
    private Profile keptFor;

    private record Asked(ClusterState cluster, InternedRequirement requirement) {}

    Candidates of(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        if (keptFor != profile) {
            kept.clear();
            keptFor = profile;
        }
        return kept.computeIfAbsent(
                new Asked(cluster, requirement), asked -> new Candidates(state, profile, cluster, requirement));
    }
}
