package dev.muster.schemas.topic;

/**
 * Record keys: the parts that the topic's table names, joined by {@code /}. Keys are written and compared, never taken
 * apart: what they say is in the value too.
 */
public final class Keys {
    private Keys() {}

    /** Key on topics nodes, gpu-health and numa. */
    public static String node(String domain, String cluster, String name) {
        return String.join("/", domain, cluster, name);
    }

    /** Key on topic pods. */
    public static String pod(String domain, String cluster, String uid) {
        return String.join("/", domain, cluster, uid);
    }

    /** Key on topic workloads. */
    public static String group(String domain, String cluster, String kind, String namespace, String name) {
        return String.join("/", domain, cluster, kind, namespace, name);
    }

    /** Key on topic policies; cluster and namespace are empty where there is none. */
    public static String policy(String domain, String kind, String cluster, String namespace, String name) {
        return String.join("/", domain, kind, cluster, namespace, name);
    }

    /** Key on topic templates. */
    public static String template(String domain, String hash) {
        return String.join("/", domain, hash);
    }

    /** Key on topic workload-status. */
    public static String workload(String domain, String workloadId) {
        return String.join("/", domain, workloadId);
    }

    /**
     * Key of the records that begin and end a fresh list. Kinds begin with a capital letter, names and uids of
     * Kubernetes objects never do: so it is nobody else's key. Compaction keeps the latest bracket of a kind.
     */
    public static String resync(String domain, String cluster, String kind) {
        return String.join("/", domain, cluster, kind);
    }
}
