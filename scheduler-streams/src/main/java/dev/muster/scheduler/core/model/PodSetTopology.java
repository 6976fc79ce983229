package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * Where a pod set wants to be in the topology of its cluster, as Kueue's annotations on the pod template say it, and
 * Muster's own for what Kueue says of all pods at once.
 *
 * @param required level at which all its pods must share one domain; empty where they need not
 * @param preferred level at which they should; empty where nothing is preferred
 * @param unconstrained any nodes of the topology will do
 * @param slices so many pods each, by rank, that share one domain of a narrower level; the widest level first
 * @param groupName pod sets of one workload with the same name share one domain; empty where it stands alone
 * @param balanced with a preferred level: as many pods on each of as few domains as hold them, where that can be (Kueue's
 *     feature gate TASBalancedPlacement)
 */
public record PodSetTopology(
        String required,
        String preferred,
        boolean unconstrained,
        List<Slice> slices,
        String groupName,
        boolean balanced) {
    /** Says nothing. */
    public static final PodSetTopology NONE = new PodSetTopology("", "", false, List.of(), "");

    public PodSetTopology {
        slices = List.copyOf(slices);
    }

    /** Of pods that need not be balanced. */
    public PodSetTopology(
            String required, String preferred, boolean unconstrained, List<Slice> slices, String groupName) {
        this(required, preferred, unconstrained, slices, groupName, false);
    }

    /** So many pods, at least one, share a domain of the level that a label gives. */
    public record Slice(String level, int size) {}

    /** Whether it says anything. */
    public boolean given() {
        return !equals(NONE);
    }

    /** The level it is about: required, preferred or that of the widest slices; empty where it names none. */
    public String level() {
        if (!required.isEmpty()) {
            return required;
        }
        if (!preferred.isEmpty()) {
            return preferred;
        }
        return slices.isEmpty() ? "" : slices.getFirst().level();
    }
}
