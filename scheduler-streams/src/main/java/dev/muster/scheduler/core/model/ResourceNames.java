package dev.muster.scheduler.core.model;

/** Names of resources that the core treats specially. */
public final class ResourceNames {
    /** CPU, in thousandths of a core. */
    public static final String CPU = "cpu";

    /** Memory, in bytes. */
    public static final String MEMORY = "memory";

    /** Number of pods. */
    public static final String PODS = "pods";

    /** GPUs, which are counted device by device because pods may share one. */
    public static final String GPU = "nvidia.com/gpu";

    private ResourceNames() {}
}
