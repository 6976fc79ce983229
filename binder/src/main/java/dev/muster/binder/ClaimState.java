package dev.muster.binder;

/**
 * A PersistentVolumeClaim as far as binding cares.
 *
 * @param uid metadata.uid
 * @param resourceVersion metadata.resourceVersion
 * @param volume spec.volumeName; empty where none is
 * @param bound its controller has completed the binding
 * @param lost status.phase is Lost
 * @param deleting metadata.deletionTimestamp is set
 * @param selectedNode annotation volume.kubernetes.io/selected-node; empty where there is none
 */
record ClaimState(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        String volume,
        boolean bound,
        boolean lost,
        boolean deleting,
        String selectedNode) {

    /** Namespace and name, as decisions have it. */
    String path() {
        return namespace + "/" + name;
    }
}
