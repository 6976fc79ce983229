package dev.muster.standalone.trace;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What the scheduling core is told of a trace: its nodes are ready and bare, its pods stand alone. */
public final class CoreFacts {
    /** The member cluster, and the namespace of its pods. */
    public static final String CLUSTER = "openb";

    private static final String GPU_MODEL = "nvidia.com/gpu.product";
    private static final int MAX_PODS_PER_NODE = 1001;
    private static final long BYTES_PER_MIB = 1 << 20;

    private long resourceVersion;

    /** The next state of an object. */
    public Origin origin(String name) {
        return new Origin(CLUSTER, 1, CLUSTER, name, name, ++resourceVersion);
    }

    /** A node. */
    public static NodeFacts node(TraceNode node) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/hostname", node.name());
        if (!node.model().isEmpty()) {
            labels.put(GPU_MODEL, node.model());
        }
        List<Amount> allocatable = new ArrayList<>();
        allocatable.add(new Amount("cpu", node.cpuMillis()));
        allocatable.add(new Amount("memory", node.memoryMib() * BYTES_PER_MIB));
        allocatable.add(new Amount("nvidia.com/gpu", node.gpus()));
        allocatable.add(new Amount("pods", MAX_PODS_PER_NODE));
        return new NodeFacts(labels, List.of(), false, true, allocatable);
    }

    /** A pod that waits. */
    public static PodFacts waiting(TracePod pod) {
        return pod(pod, "Pending", "", List.of(), "");
    }

    /** A pod that runs where a decision put it. */
    public static PodFacts running(TracePod pod, String node, List<Integer> devices, String decision) {
        return pod(pod, "Running", node, devices, decision);
    }

    private static PodFacts pod(TracePod pod, String phase, String node, List<Integer> devices, String decision) {
        return new PodFacts(
                "muster",
                true,
                phase,
                node,
                false,
                false,
                0,
                true,
                null,
                "",
                -1,
                "",
                requirement(pod),
                devices,
                decision,
                pod.createdSeconds() * 1000);
    }

    private static Requirement requirement(TracePod pod) {
        List<Amount> requests = new ArrayList<>();
        addIfAny(requests, "cpu", pod.cpuMillis());
        addIfAny(requests, "memory", pod.memoryMib() * BYTES_PER_MIB);
        addIfAny(requests, "nvidia.com/gpu", pod.sharesGpu() ? 0 : pod.gpus());
        requests.add(new Amount("pods", 1));
        List<NodeTerm> models = pod.models().isEmpty()
                ? List.of()
                : List.of(new NodeTerm(List.of(new NodeExpression(GPU_MODEL, "In", pod.models(), false))));
        return new Requirement(
                requests, pod.sharesGpu() ? pod.gpuMilli() : 0, List.of(), models, List.of(), List.of(), "");
    }

    private static void addIfAny(List<Amount> requests, String resource, long amount) {
        if (amount > 0) {
            requests.add(new Amount(resource, amount));
        }
    }
}
