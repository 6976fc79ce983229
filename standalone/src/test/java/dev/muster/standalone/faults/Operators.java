package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What befalls nodes, pods and gang objects: hardware, operators, and users with kubectl. */
final class Operators {
    private static final long ORPHANS_EVERY_MILLIS = 15_000;
    private static final String ILL = "feature.node.kubernetes.io/gpu-unhealthy";

    private final List<VirtualCluster> clusters;
    private final VirtualTime time;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private int touches;

    Operators(List<VirtualCluster> clusters, VirtualTime time, FaultPlan faults, SplittableRandom random) {
        this.clusters = clusters;
        this.time = time;
        this.faults = faults;
        this.random = random;
        collectOrphans();
    }

    /** The nodes that clusters begin with. */
    void furnish(int nodes) {
        clusters.forEach(cluster -> cluster.store().create(Objects.scratchClass()));
        for (int i = 0; i < nodes; i++) {
            clusters.get(i % clusters.size()).store().create(Objects.node("node-" + i, size()));
        }
    }

    private Ask size() {
        int gpus = new int[] {0, 1, 2, 4, 4, 8, 8, 8}[random.nextInt(8)];
        return new Ask(4_000 + 2_000L * gpus, 8_192 + 6_144L * gpus, gpus, 0, random.nextInt(4) == 0 ? 4 : 110);
    }

    /** Each kind of trouble gets its chance. */
    void act() {
        VirtualCluster cluster = clusters.get(random.nextInt(clusters.size()));
        ObjectStore store = cluster.store();
        if (faults.strikes(Fault.NODE_FLAPS)) {
            String node = any(store, ResourceKinds.NODES, "");
            if (node != null) {
                cluster.kubelet().setReady(node, false);
                later(Fault.NODE_FLAPS, 200, 40_000, () -> ready(cluster, node));
            }
        }
        if (faults.strikes(Fault.NODE_REPLACED)) {
            replaceNode(store);
        }
        if (faults.strikes(Fault.NODE_CORDONED)) {
            whileNode(store, Fault.NODE_CORDONED, (node, on) -> {
                ObjectNode spec = node.withObject("/spec");
                if (on) {
                    spec.put("unschedulable", true);
                } else {
                    spec.remove("unschedulable");
                }
            });
        }
        if (faults.strikes(Fault.NODE_UNHEALTHY)) {
            whileNode(store, Fault.NODE_UNHEALTHY, (node, on) -> {
                ObjectNode labels = node.withObject("/metadata/labels");
                if (on) {
                    labels.put(ILL, "true");
                } else {
                    labels.remove(ILL);
                }
            });
        }
        if (faults.strikes(Fault.POD_DELETED)) {
            String pod = any(store, ResourceKinds.PODS, Objects.NAMESPACE);
            if (pod != null) {
                store.delete(ResourceKinds.PODS, Objects.NAMESPACE, pod, DeleteOptions.DEFAULT);
            }
        }
        if (faults.strikes(Fault.POD_RECREATED)) {
            recreatePod(store);
        }
        if (faults.strikes(Fault.POD_TOUCHED)) {
            String pod = any(store, ResourceKinds.PODS, Objects.NAMESPACE);
            if (pod != null) {
                store.edit(
                        ResourceKinds.PODS,
                        Objects.NAMESPACE,
                        pod,
                        object ->
                                object.withObject("/metadata/annotations").put("touched", Integer.toString(touches++)));
            }
        }
        if (faults.strikes(Fault.GROUP_DELETED)) {
            String group = any(store, ResourceKinds.POD_GROUPS, Objects.NAMESPACE);
            if (group != null) {
                store.delete(ResourceKinds.POD_GROUPS, Objects.NAMESPACE, group, DeleteOptions.DEFAULT);
            }
        }
    }

    private interface Change {
        void apply(ObjectNode node, boolean on);
    }

    private void whileNode(ObjectStore store, Fault fault, Change change) {
        String node = any(store, ResourceKinds.NODES, "");
        if (node != null) {
            store.edit(ResourceKinds.NODES, "", node, object -> change.apply(object, true));
            later(fault, 500, 40_000, () -> {
                if (store.get(ResourceKinds.NODES, "", node).isPresent()) {
                    store.edit(ResourceKinds.NODES, "", node, object -> change.apply(object, false));
                }
            });
        }
    }

    private static void ready(VirtualCluster cluster, String node) {
        if (cluster.store().get(ResourceKinds.NODES, "", node).isPresent()) {
            cluster.kubelet().setReady(node, true);
        }
    }

    /** The node goes with its pods; at once, later, or never one of the same name comes, mostly of another size. */
    private void replaceNode(ObjectStore store) {
        String node = any(store, ResourceKinds.NODES, "");
        if (node == null || store.list(ResourceKinds.NODES).size() < 2) {
            return;
        }
        store.delete(ResourceKinds.NODES, "", node, DeleteOptions.NOW);
        Ask size = size();
        long after = random.nextInt(3) == 0 ? 0 : random.nextInt(30_000);
        time.after(Duration.ofMillis(after), () -> {
            if (store.get(ResourceKinds.NODES, "", node).isEmpty()) {
                store.create(Objects.node(node, size));
            }
        });
    }

    /** As kubectl replace --force does it: the same pod under the same name, at once. */
    private void recreatePod(ObjectStore store) {
        String name = any(store, ResourceKinds.PODS, Objects.NAMESPACE);
        if (name == null) {
            return;
        }
        ObjectNode again = store.get(ResourceKinds.PODS, Objects.NAMESPACE, name)
                .orElseThrow()
                .deepCopy();
        JsonNode group = again.path("metadata").path("labels").path("muster.dev/job");
        if (!group.isMissingNode() || again.path("metadata").has("ownerReferences")) {
            return; // Its controller would make it again, not a user.
        }
        store.delete(ResourceKinds.PODS, Objects.NAMESPACE, name, DeleteOptions.NOW);
        ObjectNode metadata = (ObjectNode) again.get("metadata");
        metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "generation"));
        metadata.remove("deletionGracePeriodSeconds");
        ObjectNode annotations = (ObjectNode) metadata.get("annotations");
        List<String> ours = new ArrayList<>();
        annotations.fieldNames().forEachRemaining(key -> {
            if (key.equals("muster.dev/decision")
                    || key.equals("muster.dev/attempt")
                    || key.equals("muster.dev/gpu-devices")
                    || key.startsWith("muster.dev/fenced")) {
                ours.add(key);
            }
        });
        // Half of the users copy the annotations of the old pod along.
        if (random.nextBoolean()) {
            annotations.remove(ours);
        }
        ((ObjectNode) again.get("spec")).remove("nodeName");
        again.remove("status");
        store.create(again);
    }

    private String any(ObjectStore store, ResourceKind kind, String namespace) {
        List<JsonNode> all = store.list(kind, namespace);
        return all.isEmpty()
                ? null
                : all.get(random.nextInt(all.size()))
                        .path("metadata")
                        .path("name")
                        .asText();
    }

    private void later(Fault fault, long least, long most, Runnable work) {
        time.after(Duration.ofMillis(faults.amount(fault, least, most)), work);
    }

    /** The pod garbage collector: pods on nodes that are not there are deleted. */
    private void collectOrphans() {
        for (VirtualCluster cluster : clusters) {
            ObjectStore store = cluster.store();
            for (JsonNode pod : store.list(ResourceKinds.PODS)) {
                String node = pod.path("spec").path("nodeName").asText("");
                if (!node.isEmpty() && store.get(ResourceKinds.NODES, "", node).isEmpty()) {
                    JsonNode meta = pod.path("metadata");
                    store.delete(
                            ResourceKinds.PODS,
                            meta.path("namespace").asText(),
                            meta.path("name").asText(),
                            DeleteOptions.NOW.withUid(meta.path("uid").asText()));
                }
            }
        }
        time.after(Duration.ofMillis(ORPHANS_EVERY_MILLIS), this::collectOrphans);
    }
}
