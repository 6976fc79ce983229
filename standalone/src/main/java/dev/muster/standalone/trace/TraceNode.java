package dev.muster.standalone.trace;

/**
 * A node of a trace.
 *
 * @param name its name
 * @param cpuMillis allocatable cpu in thousandths of a core
 * @param memoryMib allocatable memory in MiB
 * @param gpus GPUs
 * @param model GPU model; empty where there are no GPUs
 */
public record TraceNode(String name, long cpuMillis, long memoryMib, int gpus, String model) {}
