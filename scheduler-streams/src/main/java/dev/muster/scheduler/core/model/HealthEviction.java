package dev.muster.scheduler.core.model;

/**
 * When a pod has lost what it runs on, and what is done for its gang then.
 *
 * @param enabled whether anybody is evicted because of a fatal signal or a lost node, and whether slots are held
 * @param afterMillis how long a fatal signal must have been on: one that goes at once was none. DRA's device taints with effect
 *     NoExecute evict at once unless tolerated (KEP-5055)
 * @param nodeLostMillis how long a node may be not ready: as long as pods tolerate it by default in Kubernetes (admission
 *     plugin DefaultTolerationSeconds, 300 s). A node that was deleted is lost at once
 * @param slotsHeldMillis how long the slots of a broken gang are held before it is given up whole
 * @param mostPercent where more of a cluster's nodes are sick or lost at a time, and at least three, nobody is evicted: then it
 *     is rather the monitor that is sick (kube-controller-manager, unhealthy-zone-threshold 0.55)
 */
public record HealthEviction(
        boolean enabled, long afterMillis, long nodeLostMillis, long slotsHeldMillis, int mostPercent) {
    /** In force until the operator says otherwise. */
    public static final HealthEviction DEFAULT = new HealthEviction(true, 10_000, 300_000, 600_000, 55);
}
