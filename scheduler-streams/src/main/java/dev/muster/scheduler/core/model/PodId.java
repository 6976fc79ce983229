package dev.muster.scheduler.core.model;

/** A pod: its member cluster and its uid, which a name never outlives. Ordered by cluster, then uid. */
public record PodId(String cluster, String uid) implements Comparable<PodId> {
    /** Uids differ early where pods do; each event looks its pod up. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PodId(String itsCluster, String itsUid)
                && uid.equals(itsUid)
                && cluster.equals(itsCluster);
    }

    @Override
    public int hashCode() {
        return uid.hashCode();
    }

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
