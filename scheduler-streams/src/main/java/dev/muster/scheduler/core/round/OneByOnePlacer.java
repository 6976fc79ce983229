package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.AffinityScore;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.scheduler.core.rule.SpreadScore;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds room for pods of one kind where each that is placed changes what the next one may have and what is best for it:
 * topology spread, preferred pod affinity, volumes. So every node with room is judged again for every pod, by counts that are kept up on the way.
 */
final class OneByOnePlacer {
    private final DomainState state;
    private final Profile profile;
    private final AffinePlacer affine;

    OneByOnePlacer(DomainState state, Profile profile, AffinePlacer affine) {
        this.state = state;
        this.profile = profile;
        this.affine = affine;
    }

    /** A node that had room when it was last looked at, and what the rules that see no other pods make of it. */
    private static final class Candidate {
        private final NodeState node;
        private long score;

        Candidate(NodeState node) {
            this.node = node;
        }
    }

    /** Reserves room for as many of these members as find it; returns how many. */
    int place(List<Member> members, int wanted, InternedRequirement requirement, Stance stance, ClusterState cluster) {
        Verdicts verdicts = new Verdicts(state, profile, cluster, requirement, stance);
        SpreadScore spread = new SpreadScore(requirement, stance, cluster, state.podTerms());
        AffinityScore affinity = new AffinityScore(requirement, stance, cluster, state.podTerms());
        List<Candidate> candidates = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            if (Candidates.room(profile, requirement, node) > 0) {
                Candidate candidate = new Candidate(node);
                candidate.score = profile.score(requirement, node, state);
                candidates.add(candidate);
            }
        }
        int placed = 0;
        while (placed < wanted) {
            List<Candidate> allowed = new ArrayList<>();
            for (Candidate candidate : candidates) {
                if (verdicts.refusalByOthers(candidate.node) == null
                        && affine.atAnchor(requirement, stance, candidate.node)) {
                    allowed.add(candidate);
                }
            }
            Candidate best = best(wanted(allowed, verdicts), spread, affinity);
            if (best == null) {
                break;
            }
            affine.reserve(members.get(placed), requirement, stance, best.node, verdicts.claims(best.node));
            verdicts.placed(best.node);
            spread.placed(best.node);
            placed++;
            best.score = profile.score(requirement, best.node, state);
            if (Candidates.room(profile, requirement, best.node) == 0) {
                candidates.remove(best);
            }
        }
        return placed;
    }

    /** Those that are no last resort; all where there are no others. */
    private static List<Candidate> wanted(List<Candidate> allowed, Verdicts verdicts) {
        List<Candidate> wanted = allowed.stream()
                .filter(candidate -> !verdicts.lastResort(candidate.node))
                .toList();
        return wanted.isEmpty() ? allowed : wanted;
    }

    /** The one with the best score, ties to the smaller ordinal; null where there is none. */
    private Candidate best(List<Candidate> allowed, SpreadScore spread, AffinityScore affinity) {
        List<NodeState> nodes =
                allowed.stream().map(candidate -> candidate.node).toList();
        long[] bySpread = spread.none() ? new long[allowed.size()] : spread.scores(nodes);
        long[] byAffinity = affinity.none() ? new long[allowed.size()] : affinity.scores(nodes);
        Candidate best = null;
        long bestScore = 0;
        for (int i = 0; i < allowed.size(); i++) {
            Candidate candidate = allowed.get(i);
            long score = candidate.score
                    + bySpread[i] * RuleCatalogue.SPREAD_WEIGHT
                    + byAffinity[i] * RuleCatalogue.AFFINITY_WEIGHT;
            boolean better = best == null
                    || score > bestScore
                    || score == bestScore && candidate.node.ordinal() < best.node.ordinal();
            if (better) {
                best = candidate;
                bestScore = score;
            }
        }
        return best;
    }
}
