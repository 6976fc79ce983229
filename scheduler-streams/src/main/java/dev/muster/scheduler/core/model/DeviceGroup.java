package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * GPUs of a node that are closer to each other than to others.
 *
 * @param devices their indices, rising
 */
public record DeviceGroup(Link link, List<Integer> devices) {
    public DeviceGroup {
        devices = List.copyOf(devices);
    }

    /** What makes them close, the closest first. */
    public enum Link {
        /** NVLink or NVSwitch: an island. */
        NVLINK,
        /** The same NUMA node. */
        NUMA,
        /** The same PCIe switch. */
        PCIE
    }
}
