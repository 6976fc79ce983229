package dev.muster.scheduler.core.model;

/**
 * How far apart pods may be in the tree of HyperNodes: Volcano's {@code networkTopology}.
 *
 * @param hard whether they wait rather than be further apart
 * @param highestTier the highest tier they may share; -1 where none is given
 * @param highestTierName the same by its name; empty where none is given
 */
public record NetworkTopology(boolean hard, int highestTier, String highestTierName) {
    /** Whether there is a limit: without a highest tier, hard means no more than soft (Volcano's {@code IsHardTopologyMode}). */
    public boolean limits() {
        return hard && (highestTier >= 0 || !highestTierName.isEmpty());
    }
}
