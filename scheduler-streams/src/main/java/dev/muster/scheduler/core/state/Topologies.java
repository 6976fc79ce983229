package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Policy;
import java.util.Collection;
import java.util.TreeMap;

/**
 * The topology trees of a cluster, one of each Topology object and one of all HyperNodes. A tree is made when it is asked
 * for, and made anew when labels of nodes or the objects it comes from have changed since; while it stands, what is free in
 * its domains is counted along.
 */
public final class Topologies {
    private final Collection<NodeState> nodes;
    private final TreeMap<String, Policy.Topology> objects = new TreeMap<>();
    private final TreeMap<String, Policy.HyperNode> hyperNodes = new TreeMap<>();
    private final TreeMap<String, TopologyTree> standing = new TreeMap<>();

    Topologies(Collection<NodeState> nodes) {
        this.nodes = nodes;
    }

    /** An object is as given; null when it is gone. */
    void objectChanged(String name, Policy.Topology object) {
        if (object == null) {
            objects.remove(name);
        } else {
            objects.put(name, object);
        }
        standing.remove(key(name));
    }

    /** A HyperNode is as given; null when it is gone. */
    void hyperNodeChanged(String name, Policy.HyperNode hyperNode) {
        if (hyperNode == null) {
            hyperNodes.remove(name);
        } else {
            hyperNodes.put(name, hyperNode);
        }
        standing.remove(HyperNodes.NAME);
    }

    /** A node came, went, or has other labels. */
    void nodesChanged() {
        standing.clear();
    }

    /** So many more whole GPUs of a node are free. */
    void recount(NodeState node, int change) {
        if (!standing.isEmpty()) {
            standing.values().forEach(tree -> tree.recount(node, change));
        }
    }

    /** The tree of the first Topology, by name, that has a level with that label; null where none has. */
    public TopologyTree withLevel(String label) {
        for (var object : objects.entrySet()) {
            if (object.getValue().levels().contains(label)) {
                return tree(object.getKey());
            }
        }
        return null;
    }

    /** The tree of the first Topology by name; null where there is none. */
    public TopologyTree any() {
        return objects.isEmpty() ? null : tree(objects.firstKey());
    }

    private TopologyTree tree(String name) {
        TopologyTree tree = standing.get(key(name));
        if (tree == null) {
            tree = TopologyTree.ofLabels(name, objects.get(name).levels(), nodes, ordinals());
            standing.put(key(name), tree);
        }
        return tree;
    }

    /** The tree of HyperNodes; where there are none, of all nodes in one domain. */
    public TopologyTree network() {
        TopologyTree tree = standing.get(HyperNodes.NAME);
        if (tree == null) {
            tree = HyperNodes.tree(hyperNodes, nodes, ordinals());
            standing.put(HyperNodes.NAME, tree);
        }
        return tree;
    }

    /** Topology objects and HyperNodes must not be taken for each other. */
    private static String key(String name) {
        return "Topology/" + name;
    }

    private int ordinals() {
        int most = 0;
        for (NodeState node : nodes) {
            most = Math.max(most, node.ordinal() + 1);
        }
        return most;
    }

    /** What is counted wrongly, or empty; for the laws. */
    String difference() {
        return standing.values().stream()
                .map(TopologyTree::difference)
                .filter(difference -> !difference.isEmpty())
                .findFirst()
                .orElse("");
    }
}
