package dev.muster.scheduler.core.model;

/** A node: its member cluster and its name there. Ordered by cluster, then name. */
public record NodeId(String cluster, String name) implements Comparable<NodeId> {
    @Override
    public int compareTo(NodeId other) {
        int byCluster = cluster.compareTo(other.cluster);
        return byCluster != 0 ? byCluster : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return cluster + "/" + name;
    }
}
