package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.rule.AffinityScore;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.TermGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Finds room for pods whose place depends on other pods (affinity and anti-affinity, their own or others', and topology
 * spread) or on the volumes they use.
 *
 * <p>By required affinity alone, pods of one kind only take places from each other: by anti-affinity, and because the first of them settles where those
 * that want to be together are. So nodes are scored once, and one that comes up is asked again whether it is still allowed.
 */
final class AffinePlacer {
    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    /** Where the first of pods that want to be together may go; null for anywhere. */
    private String anchor;
    /** The terms whose first pod was placed since that was last asked; null for none. */
    private TermGroup anchored;

    /** Domains that pods must stay in; null for none. */
    private Scope within;

    private Scope around;
    private final OneByOnePlacer oneByOne;

    AffinePlacer(DomainState state, Profile profile, Overlay overlay) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.oneByOne = new OneByOnePlacer(state, profile, this);
    }

    private record Candidate(NodeState node, long score) {
        private static final Comparator<Candidate> BEST_FIRST = Comparator.comparingLong(Candidate::score)
                .reversed()
                .thenComparingInt(candidate -> candidate.node().ordinal());
    }

    /** Whether the place of such pods depends on more than the node: on other pods, or on volumes. */
    boolean concerns(InternedRequirement requirement, Stance stance) {
        return state.podTerms().matters(requirement, stance)
                || !requirement.requirement().claims().isEmpty();
    }

    /** Reserves room for as many of these members, all of one kind, as find it; returns how many. */
    int place(List<Member> members, int wanted, InternedRequirement requirement, Stance stance, ClusterState cluster) {
        boolean spread = !requirement.requirement().pods().spread().isEmpty();
        boolean volumes = !requirement.requirement().claims().isEmpty();
        if (spread || volumes || !new AffinityScore(requirement, stance, cluster, state.podTerms()).none()) {
            return oneByOne.place(members, wanted, requirement, stance, cluster);
        }
        PriorityQueue<Candidate> candidates = new PriorityQueue<>(Candidate.BEST_FIRST);
        for (NodeState node : cluster.nodes()) {
            if (Candidates.room(profile, requirement, node) > 0 && allowed(requirement, stance, node)) {
                candidates.add(candidate(node, requirement));
            }
        }
        int placed = 0;
        while (placed < wanted && !candidates.isEmpty()) {
            NodeState best = candidates.poll().node();
            if (!allowed(requirement, stance, best)) {
                continue;
            }
            reserve(members.get(placed), requirement, stance, best, List.of());
            placed++;
            if (Candidates.room(profile, requirement, best) > 0) {
                candidates.add(candidate(best, requirement));
            }
        }
        return placed;
    }

    /** Reserves room for a member, and remembers whether it is the first of some that want to be together. */
    void reserve(
            Member member,
            InternedRequirement requirement,
            Stance stance,
            NodeState node,
            List<ClaimPlacement> claims) {
        TermGroup together = state.podTerms().affinityOf(requirement, stance);
        if (together != null && together.selectsNobody()) {
            anchored = together;
        }
        overlay.reserve(member, node, claims);
    }

    private boolean allowed(InternedRequirement requirement, Stance stance, NodeState node) {
        return state.podTerms().refusal(requirement, stance, node) == null && atAnchor(requirement, stance, node);
    }

    /** Whether the node is among those that are tried, and where the first of pods that want to be together is. */
    boolean atAnchor(InternedRequirement requirement, Stance stance, NodeState node) {
        if (within != null && !within.contains(node) || around != null && !around.contains(node)) {
            return false;
        }
        TermGroup together = anchor == null ? null : state.podTerms().affinityOf(requirement, stance);
        return together == null || !together.selectsNobody() || anchor.equals(place(together, node));
    }

    /** From now on pods go into both of these domains only; null for anywhere. */
    void stayIn(Scope one, Scope other) {
        within = one;
        around = other;
    }

    private static String place(TermGroup together, NodeState node) {
        return node.facts().labels().get(together.terms().getFirst().topologyKey());
    }

    private Candidate candidate(NodeState node, InternedRequirement requirement) {
        return new Candidate(node, profile.score(requirement, node, state));
    }

    /** Lets the first of pods that want to be together go to this place only; null for anywhere. */
    void anchorAt(String place) {
        anchor = place;
        anchored = null;
    }

    /** The terms whose first pod was placed since {@link #anchorAt}; null where none was. */
    TermGroup anchored() {
        return anchored;
    }

    /** Places with room for that many such pods, the names rising. */
    List<String> places(TermGroup together, InternedRequirement requirement, int pods, ClusterState cluster) {
        TreeMap<String, Long> room = new TreeMap<>();
        for (NodeState node : cluster.nodes()) {
            String place = node.facts() == null ? null : place(together, node);
            if (place != null) {
                room.merge(place, (long) Candidates.room(profile, requirement, node), Long::sum);
            }
        }
        List<String> places = new ArrayList<>();
        room.forEach((place, free) -> {
            if (free >= pods) {
                places.add(place);
            }
        });
        return places;
    }
}
