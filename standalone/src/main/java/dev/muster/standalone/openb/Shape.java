package dev.muster.standalone.openb;

import dev.muster.standalone.trace.TracePod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pod asks for. Pods of one shape are alike for every policy.
 *
 * @param id number of the shape, from 0
 * @param cpuMillis thousandths of a core
 * @param memoryMib MiB
 * @param gpus devices
 * @param gpuMilli thousandths of each device; 0 without any
 * @param models GPU models that will do; empty means any
 */
record Shape(int id, long cpuMillis, long memoryMib, int gpus, int gpuMilli, List<String> models) {
    static final int WHOLE = 1000;

    /** Whether it takes part of one device. */
    boolean shared() {
        return gpus == 1 && gpuMilli < WHOLE;
    }

    boolean allows(String model) {
        return models.isEmpty() || models.contains(model);
    }

    /** Thousandths of devices in all. */
    long totalGpuMilli() {
        return (long) gpus * gpuMilli;
    }

    /** A pod of this shape. */
    TracePod pod(String name) {
        return new TracePod(name, cpuMillis, memoryMib, gpus, gpuMilli, models, 0, TracePod.NEVER);
    }

    /** The shape of each pod; equal shapes are one object. */
    static List<Shape> of(List<TracePod> pods) {
        Map<Shape, Shape> known = new LinkedHashMap<>();
        return pods.stream()
                .map(pod -> {
                    Shape asked = new Shape(
                            0,
                            pod.cpuMillis(),
                            pod.memoryMib(),
                            pod.gpus(),
                            pod.gpus() == 0 ? 0 : pod.gpuMilli(),
                            pod.models());
                    return known.computeIfAbsent(asked, fresh -> asked.numbered(known.size()));
                })
                .toList();
    }

    private Shape numbered(int number) {
        return new Shape(number, cpuMillis, memoryMib, gpus, gpuMilli, models);
    }
}
