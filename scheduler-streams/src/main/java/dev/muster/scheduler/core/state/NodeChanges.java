package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes of a cluster changed, in order, so that whoever keeps something worked out about each node can catch up
 * without looking at all of them. A change's number is the node's version from then on.
 *
 * <p>Bounded: once there are more changes than nodes several times over, it begins anew, and looking at all nodes is
 * cheaper.
 */
public final class NodeChanges {
    private static final int FEW = 1 << 12;
    private static final int PER_NODE = 4;

    private final List<NodeState> changed = new ArrayList<>();
    private long first;

    /** Adds a change of a node; returns its number. */
    long add(NodeState node, int nodes) {
        if (changed.size() >= FEW && changed.size() >= PER_NODE * nodes) {
            first += changed.size();
            changed.clear();
        }
        changed.add(node);
        return first + changed.size() - 1;
    }

    /** Number of the first change that is still known. */
    public long first() {
        return first;
    }

    /** Number that the next change will have. */
    public long end() {
        return first + changed.size();
    }

    /** The node of a change that is still known. */
    public NodeState get(long number) {
        return changed.get((int) (number - first));
    }
}
