package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.schemas.event.ClaimSpec;
import dev.muster.schemas.event.CsiNodeSpec;
import dev.muster.schemas.event.StorageClassSpec;
import dev.muster.schemas.event.VolumeSpec;
import java.util.List;

/** Claims, volumes, storage classes and what nodes' CSI drivers can do. */
final class StorageCodec {
    private StorageCodec() {}

    static Storage claim(ClaimSpec from) {
        return new Storage.Claim(
                Checks.nameOrEmpty("spec.volume", from.getVolume()),
                from.getBound(),
                from.getLeaving(),
                Checks.nameOrEmpty("spec.storageClass", from.getStorageClass()),
                from.getOncePod(),
                names("spec.accessModes", from.getAccessModes()),
                Checks.between("spec.bytes", from.getBytes(), 0, Long.MAX_VALUE),
                RequirementCodec.expressions("spec.selector", from.getSelector()),
                Checks.nameOrEmpty("spec.selectedNode", from.getSelectedNode()),
                from.getBlock(),
                names("spec.refusedNodes", from.getRefusedNodes()),
                Checks.nameOrEmpty("spec.pod", from.getPod()));
    }

    static Storage volume(VolumeSpec from) {
        return new Storage.Volume(
                from.getClaim().isEmpty() ? "" : Checks.id("spec.claim", from.getClaim()),
                from.getAvailable(),
                Checks.nameOrEmpty("spec.storageClass", from.getStorageClass()),
                names("spec.accessModes", from.getAccessModes()),
                Checks.between("spec.bytes", from.getBytes(), 0, Long.MAX_VALUE),
                RequirementCodec.byKey("spec.labels", from.getLabels()),
                Checks.nameOrEmpty("spec.driver", from.getDriver()),
                Checks.text("spec.handle", from.getHandle()),
                terms("spec.nodeTerms", from.getNodeTerms()),
                from.getBlock());
    }

    static Storage storageClass(StorageClassSpec from) {
        return new Storage.Class(
                Checks.nameOrEmpty("spec.provisioner", from.getProvisioner()),
                from.getWaits(),
                terms("spec.topologies", from.getTopologies()));
    }

    static Storage csiNode(CsiNodeSpec from) {
        return new Storage.CsiNode(RequirementCodec.amounts("spec.limits", from.getLimits()));
    }

    static Object write(Storage from) {
        return switch (from) {
            case Storage.Claim claim ->
                new ClaimSpec(
                        claim.volume(),
                        claim.bound(),
                        claim.leaving(),
                        claim.storageClass(),
                        claim.oncePod(),
                        claim.accessModes(),
                        claim.bytes(),
                        RequirementCodec.writeExpressions(claim.selector()),
                        claim.selectedNode(),
                        claim.block(),
                        claim.refusedNodes(),
                        claim.pod());
            case Storage.Volume volume ->
                new VolumeSpec(
                        volume.claim(),
                        volume.available(),
                        volume.storageClass(),
                        volume.accessModes(),
                        volume.bytes(),
                        RequirementCodec.writeByKey(volume.labels()),
                        volume.driver(),
                        volume.handle(),
                        Checks.map(volume.nodeTerms(), RequirementCodec::writeTerm),
                        volume.block());
            case Storage.Class storageClass ->
                new StorageClassSpec(
                        storageClass.provisioner(),
                        storageClass.waits(),
                        Checks.map(storageClass.topologies(), RequirementCodec::writeTerm));
            case Storage.CsiNode node -> new CsiNodeSpec(RequirementCodec.writeAmounts(node.limits()));
        };
    }

    private static List<NodeTerm> terms(String field, List<dev.muster.schemas.common.NodeTerm> from) {
        return Checks.each(field, from, Checks.ENTRIES, RequirementCodec::term);
    }

    private static List<String> names(String field, List<String> from) {
        return Checks.each(field, from, Checks.ENTRIES, name -> Checks.name(field, name));
    }
}
