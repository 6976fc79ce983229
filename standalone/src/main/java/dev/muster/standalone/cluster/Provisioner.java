package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes volumes as a CSI driver with its external provisioner does: where the driver's topology keys on the selected node
 * (CSINode), else those of the class's allowedTopologies, say; anywhere where neither does.
 *
 * <p>The annotation {@code muster.dev/provision-after} of a class says how long that takes, {@code muster.dev/provision-error}
 * of a class, a claim or a node that it does not work.
 */
final class Provisioner {

    private static final String AFTER = "muster.dev/provision-after";
    private static final String ERROR = "muster.dev/provision-error";
    private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
    private static final String NOBODY = "kubernetes.io/no-provisioner";
    private static final Duration USUALLY = Duration.ofSeconds(1);

    private final VersionedStore store;
    private final ObjectWriter writer;

    Provisioner(VersionedStore store, ObjectWriter writer) {
        this.store = store;
        this.writer = writer;
    }

    /** Whether volumes are made for the claim's class. */
    boolean provisions(StoredObject claim) {
        String driver = driver(classOf(claim));
        return !driver.isEmpty() && !driver.equals(NOBODY);
    }

    Duration takes(StoredObject claim) {
        String after = Json.annotation(classOf(claim), AFTER);
        return after.isEmpty() ? USUALLY : SimulatedDurations.parse(after);
    }

    /** Whether a volume was made here, and goes with its claim. */
    boolean made(StoredObject volume) {
        return !Json.annotation(volume.json(), PROVISIONED_BY).isEmpty()
                && !Json.text(volume.json(), "spec", "persistentVolumeReclaimPolicy")
                        .equals("Retain");
    }

    /** Makes a volume that can be used on the node, for the claim; false where that does not work. */
    boolean make(StoredObject claim, String nodeName) {
        StoredObject node = store.get(ResourceKinds.NODES, new ObjectKey("", nodeName));
        JsonNode storageClass = classOf(claim);
        boolean refused = node == null
                || Stream.of(claim.json(), storageClass, node.json())
                        .anyMatch(each -> !Json.annotation(each, ERROR).isEmpty())
                || !allowed(storageClass.path("allowedTopologies"), node.json());
        if (refused) {
            return false;
        }
        writer.create(ResourceKinds.VOLUMES, "", volume(claim, storageClass, node.json()), true);
        return true;
    }

    private JsonNode classOf(StoredObject claim) {
        String name = Json.text(claim.json(), "spec", "storageClassName");
        StoredObject found = name.isEmpty() ? null : store.get(ResourceKinds.STORAGE_CLASSES, new ObjectKey("", name));
        return found == null ? Json.object() : found.json();
    }

    private static String driver(JsonNode storageClass) {
        return Json.text(storageClass, "provisioner");
    }

    private static boolean allowed(JsonNode topologies, JsonNode node) {
        for (JsonNode topology : topologies) {
            boolean all = true;
            for (JsonNode wanted : topology.path("matchLabelExpressions")) {
                JsonNode label =
                        Json.at(node, "metadata", "labels", wanted.path("key").asText());
                boolean found = false;
                for (JsonNode value : wanted.path("values")) {
                    found |= value.asText().equals(label.asText(""));
                }
                all &= found;
            }
            if (all) {
                return true;
            }
        }
        return topologies.isEmpty();
    }

    private ObjectNode volume(StoredObject claim, JsonNode storageClass, JsonNode node) {
        JsonNode wanted = claim.json().path("spec");
        String name = "pvc-" + claim.uid();
        ObjectNode volume = Json.object();
        ObjectNode metadata = volume.putObject("metadata");
        metadata.put("name", name).putObject("annotations").put(PROVISIONED_BY, driver(storageClass));
        ObjectNode spec = volume.putObject("spec");
        spec.set("capacity", PodTemplates.copy(Json.at(wanted, "resources", "requests")));
        Json.copyField((ObjectNode) wanted, spec, "accessModes");
        Json.copyField((ObjectNode) wanted, spec, "storageClassName");
        Json.copyField((ObjectNode) wanted, spec, "volumeMode");
        String reclaim = Json.text(storageClass, "reclaimPolicy");
        spec.put("persistentVolumeReclaimPolicy", reclaim.isEmpty() ? "Delete" : reclaim);
        spec.putObject("csi").put("driver", driver(storageClass)).put("volumeHandle", name);
        spec.putObject("claimRef")
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolumeClaim")
                .put("namespace", claim.key().namespace())
                .put("name", claim.key().name())
                .put("uid", claim.uid());
        Set<String> keys = topologyKeys(storageClass, Json.text(node, "metadata", "name"));
        if (!keys.isEmpty()) {
            ArrayNode expressions = spec.putObject("nodeAffinity")
                    .putObject("required")
                    .putArray("nodeSelectorTerms")
                    .addObject()
                    .putArray("matchExpressions");
            keys.forEach(key -> expressions
                    .addObject()
                    .put("key", key)
                    .put("operator", "In")
                    .putArray("values")
                    .add(Json.text(node, "metadata", "labels", key)));
        }
        return volume;
    }

    private Set<String> topologyKeys(JsonNode storageClass, String node) {
        Set<String> keys = new TreeSet<>();
        StoredObject drivers = store.get(ResourceKinds.CSI_NODES, new ObjectKey("", node));
        for (JsonNode driver : drivers == null ? Json.array() : Json.at(drivers.json(), "spec", "drivers")) {
            if (driver.path("name").asText().equals(driver(storageClass))) {
                driver.path("topologyKeys").forEach(key -> keys.add(key.asText()));
            }
        }
        if (keys.isEmpty()) {
            for (JsonNode topology : storageClass.path("allowedTopologies")) {
                topology.path("matchLabelExpressions")
                        .forEach(each -> keys.add(each.path("key").asText()));
            }
        }
        return keys;
    }
}
