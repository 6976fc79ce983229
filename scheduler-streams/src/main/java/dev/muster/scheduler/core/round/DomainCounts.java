package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeChanges;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.TopologyTree;

/**
 * How many pods with one requirement each node and each domain of a tree has room for. A node is counted anew only when it
 * changed, and the difference goes up to the domains around it: what a count of all nodes would give, without counting them.
 */
final class DomainCounts {
    private final Profile profile;
    private final ClusterState cluster;
    private final TopologyTree tree;
    private final InternedRequirement requirement;
    private final int[] rooms;
    private final long[] sums;
    private long seen = -1;

    DomainCounts(Profile profile, ClusterState cluster, TopologyTree tree, InternedRequirement requirement) {
        this.profile = profile;
        this.cluster = cluster;
        this.tree = tree;
        this.requirement = requirement;
        this.rooms = new int[tree.nodeCount()];
        this.sums = new long[tree.domainCount()];
    }

    /** What there is room for now; good until something changes. */
    Capacity now() {
        catchUp();
        return new Capacity(rooms, sums);
    }

    private void catchUp() {
        NodeChanges changes = cluster.changes();
        if (seen < changes.first()) {
            for (int number = 0; number < rooms.length; number++) {
                count(tree.node(number), number);
            }
        } else {
            for (long change = seen; change < changes.end(); change++) {
                NodeState node = changes.get(change);
                int number = tree.numberOf(node);
                if (number >= 0 && node.version() == change) {
                    count(node, number);
                }
            }
        }
        seen = changes.end();
    }

    private void count(NodeState node, int number) {
        int room = Candidates.room(profile, requirement, node);
        int difference = room - rooms[number];
        if (difference == 0) {
            return;
        }
        rooms[number] = room;
        for (int domain = tree.domainOf(number); domain >= 0; domain = tree.parent(domain)) {
            sums[domain] += difference;
        }
    }
}
