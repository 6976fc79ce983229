package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of the node lifecycle controller that scheduling sees: taints that follow from a node's conditions and from
 * its cordon; and of the pod garbage collector: pods of a node that is gone fail and are removed. The collector does not
 * wait its 40 seconds.
 */
final class NodeController implements Controller {

    private static final String PREFIX = "node.kubernetes.io/";
    private static final Map<String, String> CONDITIONS = Map.of(
            "MemoryPressure", "memory-pressure",
            "DiskPressure", "disk-pressure",
            "PIDPressure", "pid-pressure",
            "NetworkUnavailable", "network-unavailable");
    private static final List<String> OURS = List.of(
            "not-ready",
            "unreachable",
            "unschedulable",
            "memory-pressure",
            "disk-pressure",
            "pid-pressure",
            "network-unavailable");

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final NodePods pods;

    NodeController(VersionedStore store, ObjectWriter writer, NodePods pods) {
        this.store = store;
        this.pods = pods;
        this.writer = writer;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        return change.kind().equals(ResourceKinds.NODES) ? List.of(change.key()) : List.of();
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        if (store.get(ResourceKinds.NODES, key) == null) {
            removePodsOf(key.name());
        } else {
            writer.edit(ResourceKinds.NODES, key, NodeController::withTaints);
        }
        return Optional.empty();
    }

    private void removePodsOf(String node) {
        for (StoredObject pod : pods.on(node)) {
            writer.edit(
                    ResourceKinds.PODS,
                    pod.key(),
                    before -> SimulatedKubelet.terminal(before)
                            ? before
                            : PodStatuses.lost(
                                    PodStatuses.disrupted(before, "DeletionByPodGC", writer.now()), writer.now()));
            writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.NOW.withUid(pod.uid()));
        }
    }

    private static ObjectNode withTaints(ObjectNode node) {
        Map<String, String> wanted = wanted(node);
        ArrayNode taints = Json.array();
        for (JsonNode taint : Json.at(node, "spec", "taints")) {
            String key = taint.path("key").asText();
            boolean ours = key.startsWith(PREFIX) && OURS.contains(key.substring(PREFIX.length()));
            String id = key + ":" + taint.path("effect").asText();
            if (!ours || wanted.remove(id) != null) {
                taints.add(taint);
            }
        }
        wanted.forEach((id, effect) -> taints.addObject()
                .put("key", id.substring(0, id.length() - effect.length() - 1))
                .put("effect", effect));
        ObjectNode after = Json.thaw(node);
        ObjectNode spec = Json.thawChild(after, "spec");
        if (taints.isEmpty()) {
            spec.remove("taints");
        } else {
            spec.set("taints", taints);
        }
        return after;
    }

    private static Map<String, String> wanted(JsonNode node) {
        Map<String, String> wanted = new LinkedHashMap<>();
        for (JsonNode condition : Json.at(node, "status", "conditions")) {
            String type = condition.path("type").asText();
            String status = condition.path("status").asText();
            if (type.equals("Ready") && !status.equals("True")) {
                String name = status.equals("False") ? "not-ready" : "unreachable";
                add(wanted, name, "NoSchedule");
                add(wanted, name, "NoExecute");
            } else if (CONDITIONS.containsKey(type) && status.equals("True")) {
                add(wanted, CONDITIONS.get(type), "NoSchedule");
            }
        }
        if (Json.at(node, "spec", "unschedulable").asBoolean()) {
            add(wanted, "unschedulable", "NoSchedule");
        }
        return wanted;
    }

    private static void add(Map<String, String> wanted, String name, String effect) {
        wanted.put(PREFIX + name + ":" + effect, effect);
    }
}
