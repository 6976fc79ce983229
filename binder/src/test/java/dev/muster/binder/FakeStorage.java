package dev.muster.binder;

import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Claims and volumes of a {@link FakeCluster}, with the controller that binds them and a provisioner. Both act just before a
 * claim is read, so that what was written is seen first and its effect afterwards.
 */
final class FakeStorage {

    private static final String HOST = "kubernetes.io/hostname";

    private final Map<String, PersistentVolumeClaim> claims = new TreeMap<>();
    private final Map<String, PersistentVolume> volumes = new TreeMap<>();
    private final AtomicLong versions = new AtomicLong(1_000);
    /** Nodes on which the provisioner can make nothing. */
    final Set<String> refusedNodes = new TreeSet<>();
    /** So many reads of claims pass before controller and provisioner act. */
    int idleReads;

    void addClaim(String name) {
        put(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(FakeCluster.NAMESPACE)
                .withName(name)
                .withUid("cu-" + name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build());
    }

    /** A disk of that node. */
    void addVolume(String name, String node) {
        put(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("vu-" + name)
                .endMetadata()
                .withNewSpec()
                .withNewNodeAffinity()
                .withNewRequired()
                .withNodeSelectorTerms(new NodeSelectorTermBuilder()
                        .addNewMatchExpression()
                        .withKey(HOST)
                        .withOperator("In")
                        .withValues(node)
                        .endMatchExpression()
                        .build())
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build());
    }

    void removeClaim(String name) {
        claims.remove(name);
    }

    /** Somebody else changes the claim; its version moves. */
    void editClaim(String name, UnaryOperator<PersistentVolumeClaimBuilder> change) {
        put(change.apply(new PersistentVolumeClaimBuilder(claims.get(name))).build());
    }

    /** Somebody else changes the volume. */
    void editVolume(String name, UnaryOperator<PersistentVolumeBuilder> change) {
        put(change.apply(new PersistentVolumeBuilder(volumes.get(name))).build());
    }

    PersistentVolumeClaim claimObject(String name) {
        return claims.get(name);
    }

    PersistentVolume volumeObject(String name) {
        return volumes.get(name);
    }

    /** The volume that a claim is bound to; empty while it is not. */
    String volumeOf(String claim) {
        return Optional.ofNullable(claims.get(claim))
                .map(Projection::of)
                .filter(ClaimState::bound)
                .map(ClaimState::volume)
                .orElse("");
    }

    Optional<ClaimState> claim(String name) {
        if (idleReads > 0) {
            idleReads--;
        } else {
            act();
        }
        return Optional.ofNullable(claims.get(name)).map(Projection::of);
    }

    Optional<VolumeState> volume(String name) {
        return Optional.ofNullable(volumes.get(name)).map(Projection::of);
    }

    static Map<String, String> labels(String node) {
        return Map.of(HOST, node);
    }

    void selectNode(ClaimState seen, String node) {
        PersistentVolumeClaim claim = claims.get(seen.name());
        check(claim == null ? null : claim.getMetadata().getResourceVersion(), seen.resourceVersion());
        editClaim(
                seen.name(),
                builder -> builder.editMetadata()
                        .addToAnnotations(Marks.SELECTED_NODE, node)
                        .endMetadata());
    }

    void giveVolume(VolumeState seen, ClaimState claim) {
        PersistentVolume volume = volumes.get(seen.name());
        check(volume == null ? null : volume.getMetadata().getResourceVersion(), seen.resourceVersion());
        take(seen.name(), claim.name(), claim.uid());
    }

    /** The volume becomes the claim's, as far as it is concerned. */
    void take(String volume, String claim, String claimUid) {
        editVolume(
                volume,
                builder -> builder.editSpec()
                        .withClaimRef(new ObjectReferenceBuilder()
                                .withNamespace(FakeCluster.NAMESPACE)
                                .withName(claim)
                                .withUid(claimUid)
                                .build())
                        .endSpec());
    }

    private static void check(String version, String seen) {
        if (version == null) {
            throw new ApiException(404, "", "not found", 0);
        }
        if (!version.equals(seen)) {
            throw new ApiException(409, "", "the object has been modified", 0);
        }
    }

    /** Bound once: what was written for a claim that is bound leads nowhere. */
    private void act() {
        for (String name : Set.copyOf(claims.keySet())) {
            ClaimState claim = Projection.of(claims.get(name));
            if (!claim.selectedNode().isEmpty() && claim.volume().isEmpty()) {
                provision(claim);
            }
        }
        for (PersistentVolume volume : Set.copyOf(volumes.values())) {
            var ref = volume.getSpec().getClaimRef();
            PersistentVolumeClaim claim = ref == null ? null : claims.get(ref.getName());
            if (claim != null && claim.getSpec().getVolumeName() == null) {
                bind(ref.getName(), volume.getMetadata().getName());
            }
        }
    }

    private void provision(ClaimState claim) {
        if (refusedNodes.contains(claim.selectedNode())) {
            editClaim(
                    claim.name(),
                    builder -> builder.editMetadata()
                            .removeFromAnnotations(Marks.SELECTED_NODE)
                            .endMetadata());
            return;
        }
        String volume = "made-for-" + claim.name();
        addVolume(volume, claim.selectedNode());
        take(volume, claim.name(), claim.uid());
    }

    private void bind(String claim, String volume) {
        editClaim(
                claim,
                builder -> builder.editSpec()
                        .withVolumeName(volume)
                        .endSpec()
                        .editStatus()
                        .withPhase("Bound")
                        .endStatus());
    }

    private void put(PersistentVolumeClaim claim) {
        claim.getMetadata().setResourceVersion(Long.toString(versions.incrementAndGet()));
        claims.put(claim.getMetadata().getName(), claim);
    }

    private void put(PersistentVolume volume) {
        volume.getMetadata().setResourceVersion(Long.toString(versions.incrementAndGet()));
        volumes.put(volume.getMetadata().getName(), volume);
    }
}
