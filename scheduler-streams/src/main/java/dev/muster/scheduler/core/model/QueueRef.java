package dev.muster.scheduler.core.model;

/** The queue that a workload is charged to. */
public record QueueRef(Kind kind, String name) {
    private static final String CLUSTER_QUEUE_PREFIX = "ClusterQueue/";

    /** What the name is the name of. */
    public enum Kind {
        /** A Volcano Queue, described or not. */
        NAMED,
        /** A ClusterQueue of Kueue, described or not. */
        CLUSTER_QUEUE,
        /** A LocalQueue of Kueue that is not there: nobody knows which ClusterQueue is meant. */
        LOCAL_QUEUE
    }

    public static QueueRef named(String name) {
        return new QueueRef(Kind.NAMED, name);
    }

    public static QueueRef clusterQueue(String name) {
        return new QueueRef(Kind.CLUSTER_QUEUE, name);
    }

    public static QueueRef missing(String localQueue) {
        return new QueueRef(Kind.LOCAL_QUEUE, localQueue);
    }

    /** Whether a LocalQueue was named. */
    public boolean ofKueue() {
        return kind != Kind.NAMED;
    }

    /** What usage is kept under: differs from that of every other queue. */
    public String key() {
        return switch (kind) {
            case NAMED -> name;
            case CLUSTER_QUEUE -> CLUSTER_QUEUE_PREFIX + name;
            case LOCAL_QUEUE -> "LocalQueue/" + name;
        };
    }

    /** The ClusterQueue of a key; null where it is another's. */
    public static String clusterQueueOf(String key) {
        return key.startsWith(CLUSTER_QUEUE_PREFIX) ? key.substring(CLUSTER_QUEUE_PREFIX.length()) : null;
    }
}
