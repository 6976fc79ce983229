package dev.muster.ingest.map;

import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.NodeTerm;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.ClaimSpec;
import dev.muster.schemas.event.CsiNodeSpec;
import dev.muster.schemas.event.StorageClassSpec;
import dev.muster.schemas.event.VolumeSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Claims, volumes, storage classes and CSI nodes, as far as they say where pods can run. */
public final class StorageMapper {

    private static final String BOUND = "pv.kubernetes.io/bind-completed";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String ONCE_POD = "ReadWriteOncePod";
    private static final String BLOCK = "Block";
    private static final String STORAGE = "storage";

    private StorageMapper() {}

    /** A PersistentVolumeClaim. It is bound when its controller says so, by phase or annotation. */
    public static Mapped<ClaimSpec> claim(PersistentVolumeClaim object) {
        Problems problems = new Problems();
        var spec = object.getSpec();
        if (spec == null) {
            problems.invalid("spec", "is missing");
            return Mapped.strict(null, problems);
        }
        ObjectMeta meta = object.getMetadata();
        Map<String, String> annotations = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        String volume = name(spec.getVolumeName(), "spec.volumeName", problems);
        boolean bound = annotations.containsKey(BOUND)
                || object.getStatus() != null
                        && "Bound".equals(object.getStatus().getPhase());
        List<String> modes = modes(spec.getAccessModes(), problems);
        var requests = spec.getResources() == null ? null : spec.getResources().getRequests();
        List<MatchExpression> selector = spec.getSelector() == null
                ? List.of()
                : new Selectors(problems).labelSelector(spec.getSelector(), "spec.selector");
        return Mapped.strict(
                new ClaimSpec(
                        volume,
                        bound && !volume.isEmpty(),
                        meta.getDeletionTimestamp() != null,
                        name(spec.getStorageClassName(), "spec.storageClassName", problems),
                        modes.contains(ONCE_POD),
                        modes,
                        bytes(requests, "spec.resources.requests", problems),
                        selector,
                        name(annotations.get(SELECTED_NODE), SELECTED_NODE, problems),
                        BLOCK.equals(spec.getVolumeMode()),
                        List.of(),
                        name(owner(meta), "metadata.ownerReferences.uid", problems)),
                problems);
    }

    /** Uid of the pod that the claim was made for. */
    private static String owner(ObjectMeta meta) {
        return meta.getOwnerReferences().stream()
                .filter(owner -> "Pod".equals(owner.getKind()) && Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse("");
    }

    /** A PersistentVolume. */
    public static Mapped<VolumeSpec> volume(PersistentVolume object) {
        Problems problems = new Problems();
        var spec = object.getSpec();
        if (spec == null) {
            problems.invalid("spec", "is missing");
            return Mapped.strict(null, problems);
        }
        var claim = spec.getClaimRef();
        String phase = object.getStatus() == null ? null : object.getStatus().getPhase();
        String owner = claim == null
                ? ""
                : name(claim.getNamespace(), "spec.claimRef.namespace", problems) + "/"
                        + name(claim.getName(), "spec.claimRef.name", problems);
        Selectors selectors = new Selectors(problems);
        var affinity =
                spec.getNodeAffinity() == null ? null : spec.getNodeAffinity().getRequired();
        var csi = spec.getCsi();
        return Mapped.strict(
                new VolumeSpec(
                        owner,
                        object.getMetadata().getDeletionTimestamp() == null
                                && (phase == null || phase.isEmpty() || phase.equals("Available")),
                        name(spec.getStorageClassName(), "spec.storageClassName", problems),
                        modes(spec.getAccessModes(), problems),
                        bytes(spec.getCapacity(), "spec.capacity", problems),
                        selectors.labels(object.getMetadata().getLabels(), "metadata.labels", Limits.LABELS),
                        csi == null ? "" : name(csi.getDriver(), "spec.csi.driver", problems),
                        csi == null ? "" : name(csi.getVolumeHandle(), "spec.csi.volumeHandle", problems),
                        selectors.terms(affinity, "spec.nodeAffinity.required"),
                        BLOCK.equals(spec.getVolumeMode())),
                problems);
    }

    /** A StorageClass. */
    public static Mapped<StorageClassSpec> storageClass(StorageClass object) {
        Problems problems = new Problems();
        Selectors selectors = new Selectors(problems);
        List<NodeTerm> topologies = new ArrayList<>();
        var allowed = object.getAllowedTopologies();
        if (allowed != null && problems.within("allowedTopologies", allowed.size(), Limits.TERMS)) {
            for (var term : allowed) {
                topologies.add(selectors.topologyTerm(term, "allowedTopologies"));
            }
        }
        return Mapped.strict(
                new StorageClassSpec(
                        name(object.getProvisioner(), "provisioner", problems),
                        "WaitForFirstConsumer".equals(object.getVolumeBindingMode()),
                        topologies),
                problems);
    }

    /** A CSINode: how many volumes each driver can attach to the node. */
    public static Mapped<CsiNodeSpec> csiNode(CSINode object) {
        Problems problems = new Problems();
        SortedMap<String, Long> limits = new TreeMap<>();
        var drivers = object.getSpec() == null ? null : object.getSpec().getDrivers();
        if (drivers != null && problems.within("spec.drivers", drivers.size(), Limits.TERMS)) {
            for (var driver : drivers) {
                Integer count = driver.getAllocatable() == null
                        ? null
                        : driver.getAllocatable().getCount();
                String driverName = name(driver.getName(), "spec.drivers.name", problems);
                if (count != null && count < 0) {
                    problems.invalid("spec.drivers.allocatable.count", count, "0 or more");
                } else if (count != null && !driverName.isEmpty()) {
                    limits.put(driverName, (long) count);
                }
            }
        }
        List<Quantity> list = new ArrayList<>();
        limits.forEach((driver, count) -> list.add(new Quantity(driver, count)));
        return Mapped.strict(new CsiNodeSpec(list), problems);
    }

    private static List<String> modes(List<String> modes, Problems problems) {
        TreeSet<String> sorted = new TreeSet<>();
        for (String mode : modes == null ? List.<String>of() : modes) {
            if (problems.within("spec.accessModes", mode.length(), Limits.VALUE) && !mode.isEmpty()) {
                sorted.add(mode);
            }
        }
        return List.copyOf(sorted);
    }

    private static long bytes(
            Map<String, io.fabric8.kubernetes.api.model.Quantity> amounts, String field, Problems problems) {
        if (amounts == null || amounts.get(STORAGE) == null) {
            return 0;
        }
        String text = String.valueOf(amounts.get(STORAGE));
        var parsed = Quantities.parse(STORAGE, text, RoundingMode.CEILING);
        if (parsed.isEmpty()) {
            problems.invalid(field + "." + STORAGE, text, Quantities.EXPECTED);
        }
        return parsed.orElse(0);
    }

    private static String name(String value, String field, Problems problems) {
        String text = value == null ? "" : value;
        return problems.within(field, text.length(), Limits.QUALIFIED_NAME) ? text : "";
    }
}
