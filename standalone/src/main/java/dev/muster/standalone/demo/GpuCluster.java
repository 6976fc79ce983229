package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cluster of the demo: nodes of 8 GPUs, 96 cores and 1 TiB, eight to a rack, every fourth rack of an older model;
 * one node in 32 is cordoned, one in 32 is kept for production.
 */
public final class GpuCluster {
    static final String NEW_MODEL = "NVIDIA-H100-80GB-HBM3";
    static final String OLD_MODEL = "NVIDIA-A100-SXM4-80GB";
    static final String DEDICATED = "production";
    static final int GPUS_PER_NODE = 8;
    static final List<String> NAMESPACES = List.of("research", "production", "platform");

    private static final int NODES_PER_RACK = 8;
    private static final int RACKS_PER_ZONE = 16;

    private final int nodes;

    /** So many nodes. */
    public GpuCluster(int nodes) {
        this.nodes = nodes;
    }

    /** Namespaces, queues and nodes. */
    public List<ObjectNode> objects() {
        List<ObjectNode> objects = new ArrayList<>();
        NAMESPACES.forEach(namespace -> objects.add(Manifests.namespace(namespace)));
        objects.add(Manifests.queue("default", 1));
        objects.add(Manifests.queue("research", 2));
        objects.add(Manifests.queue("production", 4));
        for (int i = 0; i < nodes; i++) {
            objects.add(node(i));
        }
        return objects;
    }

    /** Nodes that a pod without tolerations may use, of one model or of any. */
    int usable(String model) {
        int count = 0;
        for (int i = 0; i < nodes; i++) {
            if (!cordoned(i) && !dedicated(i) && (model.isEmpty() || model(i).equals(model))) {
                count++;
            }
        }
        return count;
    }

    private ObjectNode node(int i) {
        int rack = i / NODES_PER_RACK;
        Map<String, String> labels = Map.of(
                "topology.kubernetes.io/zone",
                "zone-" + (char) ('a' + rack / RACKS_PER_ZONE % 26),
                "topology.muster.dev/rack",
                "rack-%03d".formatted(rack),
                Manifests.GPU_PRODUCT,
                model(i));
        ObjectNode node = Manifests.node("gpu-%04d".formatted(i), labels, 96_000, 1024 * 1024, GPUS_PER_NODE, 110);
        if (cordoned(i)) {
            Manifests.cordon(node);
        }
        return dedicated(i) ? Manifests.dedicate(node, DEDICATED) : node;
    }

    private static String model(int i) {
        return i / NODES_PER_RACK % 4 == 3 ? OLD_MODEL : NEW_MODEL;
    }

    private static boolean cordoned(int i) {
        return i % 32 == 13;
    }

    private static boolean dedicated(int i) {
        return i % 32 == 5;
    }
}
