package dev.muster.scheduler.core.quota;

/**
 * What one node of the quota tree owns of a flavor's resource (Kueue's ResourceQuota), in the resource's base unit.
 *
 * @param nominal owned; 0 where nothing is said
 * @param borrowing how much more than its own the subtree may use; {@link #UNLIMITED} where the tree alone limits it
 * @param lending how much of its own others may use; {@link #UNLIMITED} for all of it
 */
public record Limits(long nominal, long borrowing, long lending) {
    public static final long UNLIMITED = -1;

    /** Of a node that says nothing of a flavor's resource. */
    static final Limits NONE = new Limits(0, UNLIMITED, UNLIMITED);

    public Limits {
        if (nominal < 0 || borrowing < UNLIMITED || lending < UNLIMITED) {
            throw new IllegalArgumentException(
                    "negative limit: nominal " + nominal + ", borrowing " + borrowing + ", lending " + lending);
        }
    }
}
