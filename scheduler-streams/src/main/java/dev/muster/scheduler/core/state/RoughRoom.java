package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.ResourceNames;

/** Room by what is scarce, wherever it is: thousandths of GPUs and of CPUs. Amounts that are absurd stay at the largest. */
public record RoughRoom(long gpuMilli, long cpuMilli) {
    public static final RoughRoom NONE = new RoughRoom(0, 0);

    /** What one pod asks for. */
    public static RoughRoom of(InternedRequirement requirement) {
        return new RoughRoom(
                requirement.requirement().gpuMilli(), requirement.requirement().request(ResourceNames.CPU));
    }

    /** Both together. */
    public RoughRoom plus(RoughRoom other) {
        return new RoughRoom(plus(gpuMilli, other.gpuMilli), plus(cpuMilli, other.cpuMilli));
    }

    /** So many of it. */
    public RoughRoom times(long count) {
        return new RoughRoom(times(gpuMilli, count), times(cpuMilli, count));
    }

    /** Whether it is as much as something else, or more. */
    public boolean covers(RoughRoom other) {
        return gpuMilli >= other.gpuMilli && cpuMilli >= other.cpuMilli;
    }

    private static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private static long times(long a, long count) {
        return a > Long.MAX_VALUE / count ? Long.MAX_VALUE : a * count;
    }
}
