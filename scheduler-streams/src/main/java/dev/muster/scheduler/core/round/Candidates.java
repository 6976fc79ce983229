package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeChanges;
import dev.muster.scheduler.core.state.NodeState;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The nodes of a cluster that could take a pod with one requirement, best first: what a look at every node would find,
 * without looking at every node. Filters and scores see nothing but the requirement and the node, so a node is looked at
 * again only when it changed. What was found for a node before it changed stays in the heap until it comes up, and is
 * dropped then.
 */
final class Candidates {
    private static final int STALE_PER_NODE = 4;
    private static final int FEW = 64;

    private final DomainState state;
    private final Profile profile;
    private final ClusterState cluster;
    private final InternedRequirement requirement;
    private final PriorityQueue<Candidate> heap = new PriorityQueue<>(Candidate.BEST_FIRST);
    private long seen = -1;

    Candidates(DomainState state, Profile profile, ClusterState cluster, InternedRequirement requirement) {
        this.state = state;
        this.profile = profile;
        this.cluster = cluster;
        this.requirement = requirement;
    }

    private record Candidate(NodeState node, long version, long score, int ordinal) {
        private static final Comparator<Candidate> BEST_FIRST = (a, b) -> {
            int byScore = Long.compare(b.score, a.score);
            return byScore != 0 ? byScore : Integer.compare(a.ordinal, b.ordinal);
        };
    }

    /** The feasible node with the best score, ties to the smaller ordinal; null where there is none. */
    NodeState best() {
        catchUp();
        for (Candidate top = heap.peek(); top != null; top = heap.peek()) {
            if (top.version() == top.node().version()) {
                return top.node();
            }
            heap.poll();
        }
        return null;
    }

    private void catchUp() {
        NodeChanges changes = cluster.changes();
        if (seen < changes.first()
                || heap.size() > STALE_PER_NODE * cluster.nodes().size() + FEW) {
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
            heap.add(new Candidate(node, node.version(), profile.score(requirement, node, state), node.ordinal()));
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
