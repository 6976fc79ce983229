package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What of a container's requests a kubelet takes from NUMA nodes: devices always; whole cpus, memory and huge pages of pods
 * of class Guaranteed (CPU manager and memory manager, policy static).
 *
 * @param requests sorted by resource, without zeros
 */
public record AlignedContainer(Kind kind, List<Amount> requests) {
    public AlignedContainer {
        requests = List.copyOf(requests);
    }

    /** When a container runs. */
    public enum Kind {
        /** Before the main ones, alone beside the sidecars started before it; what it had is used again by later ones. */
        INIT,
        /** From its turn among the init containers on, for as long as the pod. */
        SIDECAR,
        /** For as long as the pod. */
        MAIN
    }
}
