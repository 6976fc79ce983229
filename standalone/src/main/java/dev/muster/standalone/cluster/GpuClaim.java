package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a pod takes of its node's GPUs.
 *
 * @param devices device numbers the scheduler chose, empty where it left the choice to the node
 * @param shareMilli thousandths of each device: 1000 for a whole one
 * @param count how many devices
 */
record GpuClaim(List<Integer> devices, long shareMilli, int count) {

    static final GpuClaim NONE = new GpuClaim(List.of(), 0, 0);
    static final long WHOLE_MILLI = 1000;

    private static final String DEVICES = "muster.dev/gpu-devices";
    private static final String FRACTION = "muster.dev/gpu-fraction";
    private static final String KAI_FRACTION = "gpu-fraction";
    private static final String KAI_MEMORY = "gpu-memory";
    private static final String MEMORY_LABEL = "nvidia.com/gpu.memory";

    /**
     * Reads a pod's annotations and requests; what part of a GPU so much memory is depends on the node.
     *
     * @throws IllegalArgumentException where an annotation can not be read, or names another number of devices than
     *     the pod requests
     */
    static GpuClaim of(JsonNode pod, Map<String, Long> requests, JsonNode node) {
        String ours = Json.annotation(pod, FRACTION);
        String fraction = ours.isEmpty() ? Json.annotation(pod, KAI_FRACTION) : ours;
        List<Integer> devices = new ArrayList<>();
        for (String device : Json.annotation(pod, DEVICES).split(",")) {
            if (!device.isBlank()) {
                devices.add(Integer.parseInt(device.trim()));
            }
        }
        if (!fraction.isEmpty()) {
            return new GpuClaim(devices, Quantities.milli(fraction), Math.max(1, devices.size()));
        }
        String mib = Json.annotation(pod, KAI_MEMORY);
        if (!mib.isEmpty()) {
            return new GpuClaim(devices, shareMilli(Long.parseLong(mib), node), Math.max(1, devices.size()));
        }
        int count = Math.toIntExact(requests.getOrDefault(PodResources.GPU, 0L) / WHOLE_MILLI);
        if (!devices.isEmpty() && devices.size() != count) {
            throw new IllegalArgumentException(
                    DEVICES + " names " + devices.size() + " devices, but the pod requests " + count);
        }
        return count == 0 ? NONE : new GpuClaim(devices, WHOLE_MILLI, count);
    }

    /** Thousandths of a GPU that so much of its memory is, rounded up; more than all of it where it has less. */
    private static long shareMilli(long mib, JsonNode node) {
        long ofGpu = Json.at(node, "metadata", "labels").path(MEMORY_LABEL).asLong(0);
        return ofGpu <= 0 ? WHOLE_MILLI + 1 : (mib * WHOLE_MILLI + ofGpu - 1) / ofGpu;
    }
}
