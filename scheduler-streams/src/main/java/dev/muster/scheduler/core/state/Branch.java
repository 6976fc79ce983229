package dev.muster.scheduler.core.state;

import java.util.TreeMap;

/** A domain while a tree is being made. */
final class Branch {
    final String name;
    final int tier;
    final TreeMap<String, Branch> children = new TreeMap<>();
    final TreeMap<String, NodeState> nodes = new TreeMap<>();

    Branch(String name, int tier) {
        this.name = name;
        this.tier = tier;
    }

    /** How many domains there are from here on. */
    int domains() {
        return 1 + children.values().stream().mapToInt(Branch::domains).sum();
    }

    /** How many nodes there are from here on. */
    int size() {
        return nodes.size() + children.values().stream().mapToInt(Branch::size).sum();
    }
}
