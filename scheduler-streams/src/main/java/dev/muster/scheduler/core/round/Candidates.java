package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeChanges;
import dev.muster.scheduler.core.state.NodeState;

/**
 * The nodes of a cluster that could take a pod with one requirement, best first: what a look at every node would find,
 * without looking at every node. Filters and scores see nothing but the requirement and the node, so a node is looked at
 * again only when it changed.
 */
final class Candidates {
    private final DomainState state;
    private final Profile profile;
    private final ClusterState cluster;
    private final InternedRequirement requirement;
    private final NodeHeap heap = new NodeHeap();
    private long seen = -1;

    Candidates(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        this.state = state;
        this.profile = profile;
        this.cluster = cluster;
        this.requirement = requirement;
    }

    /** The feasible node with the best score, ties to the smaller ordinal; null where there is none. */
    NodeState best() {
        catchUp();
        return heap.best();
    }

    private void catchUp() {
        NodeChanges changes = cluster.changes();
        if (seen < changes.first()) {
            heap.clear();
            cluster.nodes().forEach(this::offer);
        } else {
            for (long change = seen; change < changes.end(); change++) {
                NodeState node = changes.get(change);
                if (node.version() == change) {
                    offer(node);
                }
            }
        }
        seen = changes.end();
    }

    private void offer(NodeState node) {
        if (takes(node)) {
            heap.put(node, profile.score(requirement, node, state));
        } else {
            heap.remove(node);
        }
    }

    private boolean takes(NodeState node) {
        return node.facts() != null && profile.refusedBy(requirement, node) == null && Fit.one(requirement, node);
    }

    /** How many pods with a requirement a node has room for. */
    static int room(Profile profile, InternedRequirement requirement, NodeState node) {
        if (node.facts() == null || profile.refusedBy(requirement, node) != null) {
            return 0;
        }
        return Math.min(Fit.count(requirement, node), requirement.mostPerNode());
    }
}
