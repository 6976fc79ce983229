package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.rule.FilterRule;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.rule.SpreadFilter;
import dev.muster.scheduler.core.rule.VolumeFilter;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms.Refusal;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import java.util.List;

/**
 * What keeps one kind of pod from nodes, amounts of resources apart: the filters of a profile first, then what depends on more
 * than the node, which is other pods and volumes. Holds for the pods placed when it was made, and those it is told of.
 */
final class Verdicts {
    private final DomainState state;
    private final Profile profile;
    private final InternedRequirement requirement;
    private final Stance stance;
    private final SpreadFilter spread;
    private final VolumeFilter volumes;

    Verdicts(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement, Stance stance) {
        this.state = state;
        this.profile = profile;
        this.requirement = requirement;
        this.stance = stance;
        this.spread = new SpreadFilter(requirement, stance, cluster, state.podTerms());
        this.volumes = new VolumeFilter(requirement, cluster, state);
    }

    /** The first rule that keeps such a pod from the node; null where none does. */
    Refusal refusal(NodeState node) {
        FilterRule refusing = profile.refusedBy(requirement, node);
        return refusing != null
                ? new Refusal(refusing.name(), refusing.subject(requirement, node))
                : refusalByOthers(node);
    }

    /** The same, of a node that the filters let pass. */
    Refusal refusalByOthers(NodeState node) {
        Refusal affinity = state.podTerms().refusal(requirement, stance, node);
        if (affinity != null) {
            return affinity;
        }
        Refusal spreading = spread.refusal(node);
        return spreading != null ? spreading : volumes.refusal(node);
    }

    /** A pod of this kind has been placed on the node. */
    void placed(NodeState node) {
        spread.placed(node);
    }

    /** What the claims of such a pod get on the node that are not bound yet. */
    List<ClaimPlacement> claims(NodeState node) {
        return volumes.placements(node);
    }

    /** Whether the node is one to turn to last: no volume could be made there for such a pod before. */
    boolean lastResort(NodeState node) {
        return volumes.refusedBefore(node);
    }
}
