package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Policy;
import java.util.Collection;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The topology trees of a cluster, one of each Topology object and one of all HyperNodes. A tree is made when it is asked
 * for, and made anew when a node's place in it or the objects it comes from have changed since; while it stands, what is free
 * in its domains is counted along.
 */
public final class Topologies {
    private static final String LABELLED = "Topology/";

    private final Collection<NodeState> nodes;
    private final TreeMap<String, Policy.Topology> objects = new TreeMap<>();
    private final TreeMap<String, Policy.HyperNode> hyperNodes = new TreeMap<>();
    private final TreeMap<String, TopologyTree> standing = new TreeMap<>();

    Topologies(Collection<NodeState> nodes) {
        this.nodes = nodes;
    }

    /** Kueue's and KAI's objects may have the same names. */
    static String nameOf(Row.PolicyObject row) {
        String name = row.origin().name();
        return row.kind().equals(Kinds.TOPOLOGY) ? name : name + "/" + row.kind();
    }

    /** An object is as given, by a name that no object of another kind has; null when it is gone. */
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

    /** A node came or went. */
    void nodesChanged() {
        standing.clear();
    }

    /** A node that was there has other labels: trees in which its place is the same stand. */
    void relabelled(NodeState node, SortedMap<String, String> before) {
        SortedMap<String, String> now = node.facts().labels();
        standing.keySet().removeIf(key -> moves(key, node, before, now));
    }

    private boolean moves(String key, NodeState node, SortedMap<String, String> before, SortedMap<String, String> now) {
        String name = node.id().name();
        if (key.equals(HyperNodes.NAME)) {
            return hyperNodes.values().stream()
                    .flatMap(hyperNode -> hyperNode.members().stream())
                    .anyMatch(member ->
                            HyperNodes.selects(member, before, name) != HyperNodes.selects(member, now, name));
        }
        return objects.get(key.substring(LABELLED.length())).levels().stream()
                .anyMatch(label -> !Objects.equals(before.get(label), now.get(label)));
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

    /** Whether anything says what is near. */
    public boolean given() {
        return !objects.isEmpty() || !hyperNodes.isEmpty();
    }

    /** The tree of the first Topology by name; null where there is none. */
    public TopologyTree any() {
        return objects.isEmpty() ? null : tree(objects.firstKey());
    }

    private TopologyTree tree(String name) {
        return standing(key(name));
    }

    private TopologyTree standing(String key) {
        TopologyTree tree = standing.get(key);
        if (tree == null) {
            tree = made(key);
            standing.put(key, tree);
        }
        return tree;
    }

    private TopologyTree made(String key) {
        if (key.equals(HyperNodes.NAME)) {
            return HyperNodes.tree(hyperNodes, nodes, ordinals());
        }
        String name = key.substring(LABELLED.length());
        return TopologyTree.ofLabels(name, objects.get(name).levels(), nodes, ordinals());
    }

    /** The tree of HyperNodes; where there are none, of all nodes in one domain. */
    public TopologyTree network() {
        return standing(HyperNodes.NAME);
    }

    /** Topology objects and HyperNodes must not be taken for each other. */
    private static String key(String name) {
        return LABELLED + name;
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
        for (var tree : standing.entrySet()) {
            String difference = tree.getValue().difference();
            if (difference.isEmpty() && !tree.getValue().standsLike(made(tree.getKey()))) {
                difference = "topology " + tree.getKey() + " does not stand as its nodes and objects say";
            }
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }
}
