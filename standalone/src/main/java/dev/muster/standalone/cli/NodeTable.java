package dev.muster.standalone.cli;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nodes and the pods on them, from topics nodes and pods. */
final class NodeTable {
    private static final String GPU = "nvidia.com/gpu";
    private static final String MODEL = "nvidia.com/gpu.product";

    private record NodeKey(String cluster, String name) implements Comparable<NodeKey> {
        @Override
        public int compareTo(NodeKey other) {
            int byCluster = cluster.compareTo(other.cluster);
            return byCluster != 0 ? byCluster : name.compareTo(other.name);
        }
    }

    private record PlacedPod(NodeKey node, PodSpec spec) {}

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
            int pods) {
        String model() {
            return labels.getOrDefault(MODEL, "");
        }

        String status() {
            return (ready ? "Ready" : "NotReady") + (cordoned ? ",SchedulingDisabled" : "");
        }
    }

    private final TreeMap<NodeKey, NodeSpec> nodes = new TreeMap<>();
    private final Map<String, PlacedPod> pods = new HashMap<>();

    void take(NodeEvent event) {
        if (event == null) {
            return;
        }
        NodeKey key =
                new NodeKey(event.getOrigin().getCluster(), event.getOrigin().getName());
        if (event.getOrigin().getChange() == Change.DELETE) {
            nodes.remove(key);
        } else if (event.getSpec() != null) {
            nodes.put(key, event.getSpec());
        }
    }

    void take(PodEvent event) {
        if (event == null) {
            return;
        }
        PodSpec spec = event.getSpec();
        boolean holds = spec != null
                && !spec.getNode().isEmpty()
                && !spec.getPhase().equals("Succeeded")
                && !spec.getPhase().equals("Failed");
        if (holds) {
            NodeKey node = new NodeKey(event.getOrigin().getCluster(), spec.getNode());
            pods.put(event.getOrigin().getUid(), new PlacedPod(node, spec));
        } else {
            pods.remove(event.getOrigin().getUid());
        }
    }

    /** By cluster and name. */
    List<Node> nodes() {
        Map<NodeKey, List<PodSpec>> byNode = new HashMap<>();
        pods.values()
                .forEach(p ->
                        byNode.computeIfAbsent(p.node(), k -> new ArrayList<>()).add(p.spec()));
        List<Node> list = new ArrayList<>();
        nodes.forEach((key, spec) -> list.add(node(key, spec, byNode.getOrDefault(key, List.of()))));
        return list;
    }

    private static Node node(NodeKey key, NodeSpec spec, List<PodSpec> pods) {
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
                pods.size());
    }

    private static long used(List<PodSpec> pods, String resource) {
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
