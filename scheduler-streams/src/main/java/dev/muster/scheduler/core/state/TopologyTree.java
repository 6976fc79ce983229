package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Nodes of a cluster by what connects them: domains inside domains, down to nodes. A domain is what its whole path says:
 * racks of the same name in two blocks are two racks. Domains are numbered so that parents come before their children and
 * names rise among siblings; nodes are numbered in the same order, so that each domain is a range of nodes, and the order
 * of the numbers is the order of the paths.
 *
 * <p>The lower the tier, the nearer: a node's own is 0. Domain 0 is the whole tree.
 */
public final class TopologyTree {
    private static final int NONE = -1;

    private final String name;
    private final List<String> levels;
    private final NodeState[] nodes;
    /** The domain that a node hangs on directly, by the node's number. */
    private final int[] leaves;
    /** The node's number by its ordinal; NONE for nodes that are not in the tree. */
    private final int[] numbers;

    private final String[] names;
    private final int[] parents;
    private final int[] tiers;
    private final int[] firsts;
    private final int[] ends;
    private final int[][] children;
    /** Whole GPUs that are free in each domain. */
    private final long[] freeGpus;

    /** Domains by tier, each in the order of the numbers. */
    private final TreeMap<Integer, int[]> byTier = new TreeMap<>();

    private int domains;
    private int placed;

    /** A tree as it stands; levels are the names of its tiers from 1 on, empty where a tier has none. */
    TopologyTree(String name, List<String> levels, Branch root, int ordinals) {
        int count = root.domains();
        this.name = name;
        this.levels = List.copyOf(levels);
        this.nodes = new NodeState[root.size()];
        this.leaves = new int[nodes.length];
        this.numbers = new int[ordinals];
        this.names = new String[count];
        this.parents = new int[count];
        this.tiers = new int[count];
        this.firsts = new int[count];
        this.ends = new int[count];
        this.children = new int[count][];
        this.freeGpus = new long[count];
        Arrays.fill(numbers, NONE);
        add(root, NONE);
        IntStream.range(0, count)
                .boxed()
                .collect(Collectors.groupingBy(domain -> tiers[domain], TreeMap::new, Collectors.toList()))
                .forEach((tier, same) -> byTier.put(
                        tier, same.stream().mapToInt(Integer::intValue).toArray()));
        for (NodeState node : nodes) {
            recount(node, node.devices().wholeFree());
        }
    }

    private int add(Branch branch, int parent) {
        int domain = domains++;
        names[domain] = branch.name;
        parents[domain] = parent;
        tiers[domain] = branch.tier;
        firsts[domain] = placed;
        for (NodeState node : branch.nodes.values()) {
            nodes[placed] = node;
            leaves[placed] = domain;
            numbers[node.ordinal()] = placed;
            placed++;
        }
        int[] below = new int[branch.children.size()];
        int next = 0;
        for (Branch child : branch.children.values()) {
            below[next++] = add(child, domain);
        }
        children[domain] = below;
        ends[domain] = placed;
        return domain;
    }

    /**
     * The tree of nodes that carry all of these labels, the widest level first. Nodes that lack one are not in it, as in
     * Kueue.
     */
    static TopologyTree ofLabels(String name, List<String> labels, Collection<NodeState> nodes, int ordinals) {
        Branch root = new Branch("", labels.size() + 1);
        for (NodeState node : nodes) {
            List<String> path = new ArrayList<>();
            for (String label : labels) {
                String value = node.label(label);
                if (value != null) {
                    path.add(value);
                }
            }
            if (node.facts() == null || path.size() < labels.size()) {
                continue;
            }
            Branch branch = root;
            for (String value : path) {
                int tier = branch.tier - 1;
                branch = branch.children.computeIfAbsent(value, newName -> new Branch(newName, tier));
            }
            branch.nodes.put(node.id().name(), node);
        }
        return new TopologyTree(name, labels.reversed(), root, ordinals);
    }

    /** Name of what it was made from. */
    public String name() {
        return name;
    }

    /** The tier of a level's name; -1 where there is none. */
    public int tierOf(String level) {
        int index = levels.indexOf(level);
        return index < 0 ? NONE : index + 1;
    }

    /** The name of a tier: a label, or what HyperNodes call it; may be empty. */
    public String levelOf(int tier) {
        return tier >= 1 && tier <= levels.size() ? levels.get(tier - 1) : "";
    }

    /** How many domains there are, the whole tree being number 0. */
    public int domainCount() {
        return names.length;
    }

    /** How many nodes there are. */
    public int nodeCount() {
        return nodes.length;
    }

    /** The domain that contains a domain; -1 for the whole tree. */
    public int parent(int domain) {
        return parents[domain];
    }

    public int tier(int domain) {
        return tiers[domain];
    }

    /** The tiers there are, rising. */
    public Collection<Integer> tiers() {
        return byTier.keySet();
    }

    /** The domains of a tier, in the order of their numbers. */
    public int[] ofTier(int tier) {
        return byTier.getOrDefault(tier, NO_DOMAINS);
    }

    private static final int[] NO_DOMAINS = {};

    /** Domains directly inside a domain, in the order of their names. */
    public int[] children(int domain) {
        return children[domain];
    }

    /** Number of the first node in a domain. */
    public int firstNode(int domain) {
        return firsts[domain];
    }

    /** Number behind that of the last node in a domain. */
    public int endNode(int domain) {
        return ends[domain];
    }

    public NodeState node(int number) {
        return nodes[number];
    }

    /** The domain that a node hangs on directly. */
    public int domainOf(int node) {
        return leaves[node];
    }

    /** The number of a node; -1 where it is not in the tree. */
    public int numberOf(NodeState node) {
        int ordinal = node.ordinal();
        boolean inside = ordinal >= 0 && ordinal < numbers.length && numbers[ordinal] >= 0;
        return inside && nodes[numbers[ordinal]] == node ? numbers[ordinal] : NONE;
    }

    /** Whether one domain is the other or contains it. */
    public boolean contains(int outer, int inner) {
        int domain = inner;
        while (domain > outer) {
            domain = parents[domain];
        }
        return domain == outer;
    }

    /** The smallest domain that contains both. */
    public int common(int one, int other) {
        int domain = one;
        while (!contains(domain, other)) {
            domain = parents[domain];
        }
        return domain;
    }

    /** Whole GPUs that are free in a domain: more pods than they are enough for do not fit, whatever else they need. */
    public long freeGpus(int domain) {
        return freeGpus[domain];
    }

    /** The names from the widest domain down to this one, with slashes; empty for the whole tree. */
    public String path(int domain) {
        if (parents[domain] <= 0) {
            return names[domain];
        }
        return path(parents[domain]) + "/" + names[domain];
    }

    /** A node's whole GPUs are free or taken. */
    void recount(NodeState node, int change) {
        int number = numberOf(node);
        if (number < 0) {
            return;
        }
        for (int domain = leaves[number]; domain >= 0; domain = parents[domain]) {
            freeGpus[domain] += change;
        }
    }

    /** Whether another tree has the same domains with the same nodes; for the laws. */
    boolean standsLike(TopologyTree other) {
        return Arrays.equals(nodes, other.nodes)
                && Arrays.equals(leaves, other.leaves)
                && Arrays.equals(names, other.names)
                && Arrays.equals(parents, other.parents)
                && Arrays.equals(tiers, other.tiers);
    }

    /** What is counted wrongly, or empty; worked out from scratch, for the laws. */
    String difference() {
        for (int domain = 0; domain < names.length; domain++) {
            long free = 0;
            for (int node = firsts[domain]; node < ends[domain]; node++) {
                free += nodes[node].devices().wholeFree();
                if (nodes[node].facts() == null || numberOf(nodes[node]) != node) {
                    return "node " + nodes[node].id() + " is not at its place in topology " + name;
                }
            }
            if (free != freeGpus[domain]) {
                return "domain " + path(domain) + " of topology " + name + " has " + free + " free GPUs but counts "
                        + freeGpus[domain];
            }
        }
        return "";
    }
}
