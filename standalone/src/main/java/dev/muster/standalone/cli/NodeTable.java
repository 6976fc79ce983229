package dev.muster.standalone.cli;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.DeviceGroup;
import dev.muster.schemas.event.HealthSignal;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Nodes and the pods on them, from topics nodes and pods. What an ingest published before a later one listed its cluster
 * anew counts only if that one has seen it too, as for the scheduler: objects that vanished between the two are never
 * spoken of again.
 */
final class NodeTable {
    private static final String GPU = "nvidia.com/gpu";
    private static final String MODEL = "nvidia.com/gpu.product";

    /** A node's name and the cluster it is in. */
    record NodeKey(String cluster, String name) implements Comparable<NodeKey> {
        @Override
        public int compareTo(NodeKey other) {
            int byCluster = cluster.compareTo(other.cluster);
            return byCluster != 0 ? byCluster : name.compareTo(other.name);
        }
    }

    private record SeenNode(long epoch, NodeSpec spec) {}

    private record PlacedPod(NodeKey node, long epoch, PodSpec spec) {}

    /** A node and what pods hold of it, in thousandths of GPUs and cores, and bytes. */
    record Node(
            String name,
            String cluster,
            boolean ready,
            boolean cordoned,
            Map<String, String> labels,
            List<String> taints,
            long gpus,
            long usedGpuMilli,
            long cpuMillis,
            long usedCpuMillis,
            long memoryBytes,
            long usedMemoryBytes,
            int pods,
            List<DeviceGroup> deviceGroups,
            List<HealthSignal> health) {
        String model() {
            return labels.getOrDefault(MODEL, "");
        }

        String status() {
            return (ready ? "Ready" : "NotReady") + (cordoned ? ",SchedulingDisabled" : "");
        }
    }

    final HealthTable health = new HealthTable();
    private final TreeMap<NodeKey, SeenNode> nodes = new TreeMap<>();
    private final Map<String, PlacedPod> pods = new HashMap<>();
    private final Map<NodeKey, Map<String, PodSpec>> podsByNode = new HashMap<>();
    private final Map<String, Long> nodesListed = new HashMap<>();
    private final Map<String, Long> podsListed = new HashMap<>();

    /** Takes a record of topic nodes, null for a key that was forgotten; the nodes that it changes. */
    Set<NodeKey> take(NodeEvent event) {
        if (event == null) {
            return Set.of();
        }
        Origin origin = event.getOrigin();
        if (origin.getChange() == Change.RESYNC_END) {
            nodesListed.merge(origin.getCluster(), origin.getEpoch(), Math::max);
            nodes.entrySet()
                    .removeIf(node -> node.getKey().cluster().equals(origin.getCluster())
                            && node.getValue().epoch() < origin.getEpoch());
            return Set.of();
        }
        if (origin.getEpoch() < nodesListed.getOrDefault(origin.getCluster(), 0L)) {
            return Set.of();
        }
        NodeKey key = new NodeKey(origin.getCluster(), origin.getName());
        if (origin.getChange() == Change.DELETE) {
            nodes.remove(key);
        } else if (event.getSpec() != null) {
            nodes.put(key, new SeenNode(origin.getEpoch(), event.getSpec()));
            return Set.of(key);
        }
        return Set.of();
    }

    /** Takes a record of topic pods, null for a key that was forgotten; the nodes that it changes. */
    Set<NodeKey> take(PodEvent event) {
        if (event == null) {
            return Set.of();
        }
        Origin origin = event.getOrigin();
        Set<NodeKey> changed = new TreeSet<>();
        if (origin.getChange() == Change.RESYNC_END) {
            podsListed.merge(origin.getCluster(), origin.getEpoch(), Math::max);
            List<String> vanished = pods.entrySet().stream()
                    .filter(pod -> pod.getValue().node().cluster().equals(origin.getCluster())
                            && pod.getValue().epoch() < origin.getEpoch())
                    .map(Map.Entry::getKey)
                    .toList();
            vanished.forEach(uid -> leave(uid, changed));
            return changed;
        }
        if (origin.getEpoch() < podsListed.getOrDefault(origin.getCluster(), 0L)) {
            return Set.of();
        }
        leave(origin.getUid(), changed);
        PodSpec spec = event.getSpec();
        boolean holds = spec != null
                && !spec.getNode().isEmpty()
                && !spec.getPhase().equals("Succeeded")
                && !spec.getPhase().equals("Failed");
        if (holds) {
            NodeKey node = new NodeKey(origin.getCluster(), spec.getNode());
            pods.put(origin.getUid(), new PlacedPod(node, origin.getEpoch(), spec));
            podsByNode.computeIfAbsent(node, k -> new TreeMap<>()).put(origin.getUid(), spec);
            changed.add(node);
        }
        return changed;
    }

    private void leave(String uid, Set<NodeKey> changed) {
        PlacedPod pod = pods.remove(uid);
        if (pod != null) {
            podsByNode.get(pod.node()).remove(uid);
            changed.add(pod.node());
        }
    }

    /** By cluster and name. */
    List<Node> nodes() {
        return nodes.keySet().stream().flatMap(key -> node(key).stream()).toList();
    }

    /** A node as it is now; empty when there is none. */
    Optional<Node> node(NodeKey key) {
        return Optional.ofNullable(nodes.get(key))
                .map(node -> node(
                        key, node.spec(), podsByNode.getOrDefault(key, Map.of()).values(), health.of(key)));
    }

    private static Node node(NodeKey key, NodeSpec spec, Collection<PodSpec> pods, List<HealthSignal> signals) {
        Map<String, String> labels = new TreeMap<>();
        spec.getLabels().forEach(l -> labels.put(l.getKey(), l.getValue()));
        List<String> taints = spec.getTaints().stream()
                .map(t -> t.getKey() + (t.getValue().isEmpty() ? "" : "=" + t.getValue()) + ":" + t.getEffect())
                .toList();
        long usedGpuMilli = 1000 * used(pods, GPU)
                + pods.stream()
                        .mapToLong(p -> p.getRequirement().getGpuFractionMilli())
                        .sum();
        return new Node(
                key.name(),
                key.cluster(),
                spec.getReady(),
                spec.getCordoned(),
                labels,
                taints,
                amount(spec.getAllocatable(), GPU),
                usedGpuMilli,
                amount(spec.getAllocatable(), "cpu"),
                used(pods, "cpu"),
                amount(spec.getAllocatable(), "memory"),
                used(pods, "memory"),
                pods.size(),
                spec.getDeviceGroups(),
                signals);
    }

    private static long used(Collection<PodSpec> pods, String resource) {
        return pods.stream()
                .mapToLong(p -> amount(p.getRequirement().getRequests(), resource))
                .sum();
    }

    private static long amount(List<Quantity> quantities, String resource) {
        return quantities.stream()
                .filter(q -> q.getResource().equals(resource))
                .mapToLong(Quantity::getAmount)
                .sum();
    }
}
