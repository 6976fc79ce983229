package dev.muster.ingest.publish;

/**
 * One object at one resource version.
 *
 * @param namespace metadata.namespace; empty for cluster-scoped objects
 * @param name metadata.name
 * @param uid metadata.uid
 * @param resourceVersion metadata.resourceVersion as a number; 0 where it is none
 */
public record ObjectId(String namespace, String name, String uid, long resourceVersion) {

    /** Namespace and name: what Kubernetes keeps unique at any one time. */
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** A resource version as a number, 0 where it is none. Versions of one kind are ordered (KEP-5504). */
    public static long versionOf(String resourceVersion) {
        if (resourceVersion == null || !resourceVersion.matches("[0-9]{1,18}")) {
            return 0;
        }
        return Long.parseLong(resourceVersion);
    }
}
