package dev.muster.standalone.trace;

import java.util.List;

/**
 * A pod of a trace.
 *
 * @param name its name
 * @param cpuMillis cpu request in thousandths of a core
 * @param memoryMib memory request in MiB
 * @param gpus GPUs wanted
 * @param gpuMilli thousandths of each GPU; 1000 unless the pod shares its one GPU
 * @param models GPU models that will do; empty means any
 * @param createdSeconds when it arrives, in seconds of the trace
 * @param deletedSeconds when it ends, in seconds of the trace; {@link #NEVER} where the trace does not say
 */
public record TracePod(
        String name,
        long cpuMillis,
        long memoryMib,
        int gpus,
        int gpuMilli,
        List<String> models,
        long createdSeconds,
        long deletedSeconds) {
    /** Later than every trace. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether the pod takes part of one GPU. */
    public boolean sharesGpu() {
        return gpus == 1 && gpuMilli < 1000;
    }
}
