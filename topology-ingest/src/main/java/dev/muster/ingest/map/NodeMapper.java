package dev.muster.ingest.map;

import dev.muster.schemas.common.Taint;
import dev.muster.schemas.event.NodeSpec;
import io.fabric8.kubernetes.api.model.Node;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A node as far as scheduling cares. An amount that cannot be read is left out, as if the node had none; a node whose
 * labels or taints cannot be taken is refused, because without them it would attract pods it must not get.
 */
public final class NodeMapper {

    private static final String GPU = "nvidia.com/gpu";
    private static final String NVME_LABEL = "nvme-iops";

    private NodeMapper() {}

    /** The facts of {@code node}. */
    public static Mapped<NodeSpec> map(Node node) {
        Problems fatal = new Problems();
        var labels = new Selectors(fatal).labels(node.getMetadata().getLabels(), "metadata.labels", Limits.LABELS);
        List<Taint> taints = taints(node, fatal);
        if (fatal.any()) {
            return new Mapped<>(Optional.empty(), fatal.refusals());
        }
        Problems amounts = new Problems();
        var status = node.getStatus();
        // Rounded down: a node never offers more than it has.
        var allocatable = Quantities.read(
                status == null ? null : status.getAllocatable(), "status.allocatable", RoundingMode.FLOOR, amounts);
        nvme(node, allocatable, amounts);
        int gpus = gpuCapacity(node, amounts);
        boolean ready = status != null
                && status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
        NodeSpec facts = NodeSpec.newBuilder()
                .setLabels(labels)
                .setTaints(taints)
                .setCordoned(node.getSpec() != null
                        && Boolean.TRUE.equals(node.getSpec().getUnschedulable()))
                .setReady(ready)
                .setAllocatable(Quantities.list(allocatable))
                .setGpuCapacity(gpus)
                .setDeviceGroups(GpuTopology.groups(annotations(node), gpus, amounts))
                .build();
        return Mapped.lenient(facts, amounts);
    }

    private static Map<String, String> annotations(Node node) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    /** What the device plugin found, whether it works or not. */
    private static int gpuCapacity(Node node, Problems problems) {
        var status = node.getStatus();
        long gpus = status == null
                ? 0
                : Quantities.read(status.getCapacity(), "status.capacity", RoundingMode.FLOOR, problems)
                        .getOrDefault(GPU, 0L);
        return (int) Math.min(gpus, Integer.MAX_VALUE);
    }

    /** A label is no accounting, but it says how much there is where the node does not offer it as a resource. */
    private static void nvme(Node node, SortedMap<String, Long> allocatable, Problems problems) {
        NvmeRequest.account(allocatable);
        Map<String, String> labels = node.getMetadata().getLabels();
        String text = labels == null ? null : labels.get(NVME_LABEL);
        if (text != null && !allocatable.containsKey(NvmeRequest.ACCOUNT)) {
            Quantities.put(
                    allocatable,
                    NvmeRequest.ACCOUNT,
                    text,
                    "metadata.labels[" + NVME_LABEL + "]",
                    RoundingMode.FLOOR,
                    problems);
        }
    }

    private static List<Taint> taints(Node node, Problems problems) {
        var given = node.getSpec() == null ? null : node.getSpec().getTaints();
        if (given == null || !problems.within("spec.taints", given.size(), Limits.TAINTS)) {
            return List.of();
        }
        List<Taint> taints = new ArrayList<>(given.size());
        for (var taint : given) {
            String key = taint.getKey() == null ? "" : taint.getKey();
            String value = taint.getValue() == null ? "" : taint.getValue();
            String effect = taint.getEffect() == null ? "" : taint.getEffect();
            if (problems.within("spec.taints key", key.length(), Limits.QUALIFIED_NAME)
                    && problems.within("spec.taints value", value.length(), Limits.VALUE)
                    && problems.within("spec.taints effect", effect.length(), Limits.VALUE)) {
                taints.add(new Taint(key, value, effect));
            }
        }
        taints.sort(Comparator.comparing(Taint::getKey)
                .thenComparing(Taint::getEffect)
                .thenComparing(Taint::getValue));
        return taints;
    }
}
