package dev.muster.scheduler.core.model;

/**
 * What a claim that is not bound yet gets, once the pods that use it have a place.
 *
 * @param claim the claim, as namespace/name
 * @param volume PersistentVolume that it is to be bound to; empty where one is made for it
 * @param node node for which a volume is made; empty where it gets one that exists
 */
public record ClaimPlacement(String claim, String volume, String node) {
    /** It gets a volume that exists. */
    public static ClaimPlacement bound(String claim, String volume) {
        return new ClaimPlacement(claim, volume, "");
    }

    /** A volume is made for it, where the node can use it. */
    public static ClaimPlacement made(String claim, String node) {
        return new ClaimPlacement(claim, "", node);
    }

    /** Whether a volume is made for it. */
    public boolean isMade() {
        return volume.isEmpty();
    }
}
