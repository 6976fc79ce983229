package dev.muster.scheduler.core.model;

import java.util.List;

/** The nodes that pods get with their flavors: labels those must have, sorted by key, and what pods tolerate there. */
public record FlavorNodes(List<Label> labels, List<Toleration> tolerations) {
    /** Any nodes. */
    public static final FlavorNodes ANY = new FlavorNodes(List.of(), List.of());

    public FlavorNodes {
        labels = List.copyOf(labels);
        tolerations = List.copyOf(tolerations);
    }
}
