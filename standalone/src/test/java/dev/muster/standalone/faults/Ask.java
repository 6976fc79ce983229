package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What one pod takes, or a node has, as the oracle counts it: read from manifests, by no code of the product.
 *
 * @param cpuMilli thousandths of cores
 * @param memoryMib MiB
 * @param gpus whole GPUs
 * @param gpuMilli thousandths of one shared GPU; 0 for pods that share none
 * @param pods 1 for a pod; how many a node takes
 */
record Ask(long cpuMilli, long memoryMib, int gpus, int gpuMilli, int pods) {
    static final String GPU = "nvidia.com/gpu";
    static final String FRACTION = "muster.dev/gpu-fraction";

    static Ask ofPod(JsonNode pod) {
        long cpu = 0;
        long memory = 0;
        int gpus = 0;
        for (JsonNode container : pod.path("spec").path("containers")) {
            JsonNode requests = container.path("resources").path("requests");
            cpu += milli(requests.path("cpu").asText("0"));
            memory += mib(requests.path("memory").asText("0"));
            gpus += requests.path(GPU).asInt(0);
        }
        String fraction =
                pod.path("metadata").path("annotations").path(FRACTION).asText("");
        int gpuMilli = fraction.isEmpty()
                ? 0
                : Integer.parseInt((fraction.substring(fraction.indexOf('.') + 1) + "000").substring(0, 3));
        return new Ask(cpu, memory, gpus, gpuMilli, 1);
    }

    static Ask ofNode(JsonNode node) {
        JsonNode has = node.path("status").path("allocatable");
        return new Ask(
                milli(has.path("cpu").asText("0")),
                mib(has.path("memory").asText("0")),
                has.path(GPU).asInt(0),
                0,
                has.path("pods").asInt(0));
    }

    private static long milli(String amount) {
        return amount.endsWith("m")
                ? Long.parseLong(amount.substring(0, amount.length() - 1))
                : Long.parseLong(amount) * 1000;
    }

    private static long mib(String amount) {
        return amount.endsWith("Mi")
                ? Long.parseLong(amount.substring(0, amount.length() - 2))
                : Long.parseLong(amount) >> 20;
    }

    /** How many pods that ask for this an empty node can hold. */
    int countOn(Ask node) {
        long count = node.pods;
        if (cpuMilli > 0) {
            count = Math.min(count, node.cpuMilli / cpuMilli);
        }
        if (memoryMib > 0) {
            count = Math.min(count, node.memoryMib / memoryMib);
        }
        if (gpus > 0) {
            count = Math.min(count, node.gpus / gpus);
        }
        if (gpuMilli > 0) {
            count = Math.min(count, (long) node.gpus * (1000 / gpuMilli));
        }
        return (int) count;
    }
}
