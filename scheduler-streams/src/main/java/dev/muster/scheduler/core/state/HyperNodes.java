package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes the tree of a cluster's HyperNodes. As in Volcano there is a virtual one above all of them, one tier higher than the
 * highest, that holds every node of the cluster.
 *
 * <p>A HyperNode, or node, that several claim belongs to the one with the lowest tier, then the smallest name. A HyperNode
 * contains only what has a lower tier, so that there are no circles. One that lists its nodes itself beside a HyperNode that
 * lists the same is taken to contain that one.
 */
final class HyperNodes {
    static final String NAME = "HyperNodes";

    private final List<Level> byTier = new ArrayList<>();

    /** A HyperNode with its place in the tree. */
    private static final class Level {
        final String name;
        final Policy.HyperNode spec;
        final TreeMap<String, NodeState> selected = new TreeMap<>();
        Level parent;

        Level(String name, Policy.HyperNode spec) {
            this.name = name;
            this.spec = spec;
        }
    }

    private HyperNodes(SortedMap<String, Policy.HyperNode> hyperNodes) {
        hyperNodes.forEach((name, spec) -> byTier.add(new Level(name, spec)));
        byTier.sort(Comparator.comparingInt(level -> level.spec.tier())); // stable: names rise within a tier
    }

    static TopologyTree tree(
            SortedMap<String, Policy.HyperNode> hyperNodes, Collection<NodeState> nodes, int ordinals) {
        HyperNodes made = new HyperNodes(hyperNodes);
        made.select(nodes);
        made.connect();
        return made.build(nodes, ordinals);
    }

    private void select(Collection<NodeState> nodes) {
        for (Level level : byTier) {
            for (HyperNodeMember member : level.spec.members()) {
                if (member.hyperNode()) {
                    continue;
                }
                boolean byLabels = member.match() == HyperNodeMember.Match.LABELS;
                Predicate<String> named = named(member);
                for (NodeState node : nodes) {
                    if (node.facts() != null
                            && (byLabels
                                    ? selects(
                                            member,
                                            node.facts().labels(),
                                            node.id().name())
                                    : named.test(node.id().name()))) {
                        level.selected.put(node.id().name(), node);
                    }
                }
            }
        }
    }

    /** Whether it is nodes by labels that the member says, and one of that name with these labels is among them. */
    static boolean selects(HyperNodeMember member, SortedMap<String, String> labels, String name) {
        return !member.hyperNode()
                && member.match() == HyperNodeMember.Match.LABELS
                && member.labels().stream().allMatch(expression -> expression.matches(labels, name));
    }

    private static Predicate<String> named(HyperNodeMember member) {
        return switch (member.match()) {
            case NAME -> member.name()::equals;
            case PATTERN -> NamePattern.of(member.name())::matches;
            case LABELS -> name -> false;
        };
    }

    private void connect() {
        for (Level parent : byTier) {
            for (HyperNodeMember member : parent.spec.members()) {
                if (!member.hyperNode()) {
                    continue;
                }
                Predicate<String> named = named(member);
                for (Level child : byTier) {
                    if (child.spec.tier() < parent.spec.tier() && child.parent == null && named.test(child.name)) {
                        child.parent = parent;
                    }
                }
            }
        }
        for (Level child : byTier) {
            for (Level parent : byTier) {
                if (child.parent == null
                        && child.spec.tier() < parent.spec.tier()
                        && !child.selected.isEmpty()
                        && parent.selected.keySet().containsAll(child.selected.keySet())) {
                    child.parent = parent;
                }
            }
        }
    }

    private TopologyTree build(Collection<NodeState> nodes, int ordinals) {
        int highest = byTier.isEmpty() ? 0 : byTier.getLast().spec.tier();
        Branch root = new Branch("", highest + 1);
        TreeMap<String, NodeState> left = new TreeMap<>();
        for (NodeState node : nodes) {
            if (node.facts() != null) {
                left.put(node.id().name(), node);
            }
        }
        TreeMap<String, Branch> branches = new TreeMap<>();
        for (Level level : byTier) {
            Branch branch = new Branch(level.name, level.spec.tier());
            level.selected.forEach((name, node) -> {
                if (left.remove(name) != null) {
                    branch.nodes.put(name, node);
                }
            });
            branches.put(level.name, branch);
        }
        for (Level level : byTier) {
            Branch above = level.parent == null ? root : branches.get(level.parent.name);
            above.children.put(level.name, branches.get(level.name));
        }
        root.nodes.putAll(left);
        return new TopologyTree(NAME, tierNames(highest), root, ordinals);
    }

    private List<String> tierNames(int highest) {
        List<String> names = new ArrayList<>();
        int named = Math.min(highest, MOST_NAMED);
        for (int tier = 1; tier <= named; tier++) {
            names.add("");
        }
        for (Level level : byTier) {
            int tier = level.spec.tier();
            if (tier >= 1 && tier <= named && names.get(tier - 1).isEmpty()) {
                names.set(tier - 1, level.spec.tierName());
            }
        }
        return names;
    }

    /** More tiers than any network has: beyond that, names are not looked up. */
    private static final int MOST_NAMED = 1_000;
}
