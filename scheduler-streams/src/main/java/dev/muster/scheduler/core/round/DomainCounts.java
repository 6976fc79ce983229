package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.Wish.SliceTier;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeChanges;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.List;

/**
 * How many pods with one requirement each node and each domain of a tree has room for, in whole slices where there are any:
 * what a domain of a slice's tier has room for beyond them counts for nothing above it. A node is counted anew only when it
 * changed, and the difference goes up to the domains around it: what a count of all nodes would give, without counting them.
 */
final class DomainCounts {
    private final Profile profile;
    private final ClusterState cluster;
    private final TopologyTree tree;
    private final InternedRequirement requirement;
    private final List<SliceTier> slices;
    private final int[] rooms;
    /** By domain, before they are rounded to whole slices. */
    private final long[] raw;

    private final long[] sums;
    private final DomainIndex index;
    private long seen = -1;

    DomainCounts(
            Profile profile,
            ClusterState cluster,
            TopologyTree tree,
            InternedRequirement requirement,
            List<SliceTier> slices) {
        this.profile = profile;
        this.cluster = cluster;
        this.tree = tree;
        this.requirement = requirement;
        this.slices = slices;
        this.rooms = new int[tree.nodeCount()];
        this.raw = new long[tree.domainCount()];
        this.sums = slices.isEmpty() ? raw : new long[tree.domainCount()];
        this.index = new DomainIndex(tree, sums);
    }

    /** What there is room for now; good until something changes. */
    Capacity now() {
        catchUp();
        return new Capacity(rooms, sums, this);
    }

    /** The domains by their room, as of the last time that was asked for. */
    DomainIndex index() {
        return index;
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
        long difference = room - rooms[number];
        rooms[number] = room;
        for (int domain = tree.domainOf(number); domain >= 0 && difference != 0; domain = tree.parent(domain)) {
            long before = sums[domain];
            raw[domain] += difference;
            sums[domain] = SliceTier.whole(slices, tree.tier(domain), raw[domain]);
            difference = sums[domain] - before;
            if (difference != 0) {
                index.moved(domain, sums[domain]);
            }
        }
    }
}
