package dev.muster.scheduler.core.model;

/** A pod: its member cluster and its uid, which a name never outlives. Ordered by cluster, then uid. */
public record PodId(String cluster, String uid) implements Comparable<PodId> {
    @Override
    public int compareTo(PodId other) {
        int byCluster = cluster.compareTo(other.cluster);
        return byCluster != 0 ? byCluster : uid.compareTo(other.uid);
    }

    @Override
    public String toString() {
        return cluster + "/" + uid;
    }
}
