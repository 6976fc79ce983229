package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeChanges;
import dev.muster.scheduler.core.state.NodeState;
import java.util.Arrays;

/**
 * How many pods with one requirement all nodes of a cluster have room for, each counted by itself. A node is counted anew only
 * when it changed: what a count of all nodes would give, without counting them.
 */
final class RoomTotal {
    private final Profile profile;
    private final ClusterState cluster;
    private final InternedRequirement requirement;
    /** By ordinal. */
    private int[] rooms = {};

    private long total;
    private long seen = -1;
    private long numbering = -1;

    RoomTotal(Profile profile, ClusterState cluster, InternedRequirement requirement) {
        this.profile = profile;
        this.cluster = cluster;
        this.requirement = requirement;
    }

    /** What there is room for now. */
    long now() {
        NodeChanges changes = cluster.changes();
        if (seen < changes.first() || numbering != cluster.numbering()) {
            Arrays.fill(rooms, 0);
            total = 0;
            cluster.nodes().forEach(this::count);
            numbering = cluster.numbering();
        } else {
            for (long change = seen; change < changes.end(); change++) {
                NodeState node = changes.get(change);
                if (node.version() == change) {
                    count(node);
                }
            }
        }
        seen = changes.end();
        return total;
    }

    private void count(NodeState node) {
        int ordinal = node.ordinal();
        if (ordinal < 0) {
            return; // known by name only
        }
        if (ordinal >= rooms.length) {
            rooms = Arrays.copyOf(rooms, Math.max(ordinal + 1, rooms.length + rooms.length / 2));
        }
        int room = Candidates.room(profile, requirement, node);
        total += room - rooms[ordinal];
        rooms[ordinal] = room;
    }
}
