package dev.muster.scheduler.core.model;

/**
 * An amount of one resource.
 *
 * @param resource name as Kubernetes writes it
 * @param amount cpu in thousandths of a core, everything else in its base unit; never negative
 */
public record Amount(String resource, long amount) {
    public Amount {
        if (amount < 0) {
            throw new IllegalArgumentException("negative amount of " + resource + ": " + amount);
        }
    }
}
