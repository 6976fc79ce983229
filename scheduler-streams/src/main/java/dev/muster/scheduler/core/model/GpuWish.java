package dev.muster.scheduler.core.model;

/**
 * What a pod asks of its GPUs beside their number.
 *
 * @param linked they must be of one NVLink island
 * @param memoryMib memory of one shared GPU, in MiB; 0 for none. What part of a GPU that is depends on the node
 */
public record GpuWish(boolean linked, int memoryMib) {
    /** Nothing. */
    public static final GpuWish NONE = new GpuWish(false, 0);
}
