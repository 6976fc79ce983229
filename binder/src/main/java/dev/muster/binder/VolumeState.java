package dev.muster.binder;

import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import java.util.List;

/**
 * A PersistentVolume as far as binding cares.
 *
 * @param uid metadata.uid
 * @param resourceVersion metadata.resourceVersion
 * @param claim spec.claimRef as namespace/name; empty where none is
 * @param claimUid spec.claimRef.uid; empty where none is
 * @param deleting metadata.deletionTimestamp is set
 * @param nodeTerms spec.nodeAffinity.required: one must match; empty means no constraint
 */
record VolumeState(
        String name,
        String uid,
        String resourceVersion,
        String claim,
        String claimUid,
        boolean deleting,
        List<NodeSelectorTerm> nodeTerms) {

    VolumeState {
        nodeTerms = List.copyOf(nodeTerms);
    }

    /** Whether it is bound to the claim, as far as it is concerned. */
    boolean isOf(ClaimState wanted) {
        return claim.equals(wanted.path()) && claimUid.equals(wanted.uid());
    }

    /** Whether it could be: it belongs to nobody, or is kept for the claim of that name. */
    boolean isFreeFor(ClaimState wanted) {
        return !deleting && (claim.isEmpty() || claim.equals(wanted.path()) && claimUid.isEmpty());
    }
}
