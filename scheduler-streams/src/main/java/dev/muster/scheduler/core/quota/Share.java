package dev.muster.scheduler.core.quota;

/**
 * How much of what others could lend a node uses: the largest over all resources of what it uses above its own, divided by
 * what its cohort could lend, divided by its weight (Kueue, Preemption, Fair Sharing: the share value of a ClusterQueue).
 * The smaller goes first.
 *
 * @param borrowing whether it uses more than its own of anything
 * @param value parts of 2^20, weight included; of two that have no weight the part alone
 * @param weightless it has weight 0: behind everybody with a weight as soon as it borrows
 * @param resource the resource that decides; empty where nothing is borrowed, or nothing of that could be lent
 */
public record Share(boolean borrowing, long value, boolean weightless, String resource) implements Comparable<Share> {
    /** Of a node that uses no more than its own. */
    static Share none(boolean weightless) {
        return new Share(false, 0, weightless, "");
    }

    /** Whether it has no claim at all on what it borrows. */
    public boolean infinite() {
        return weightless && borrowing;
    }

    @Override
    public int compareTo(Share other) {
        int byClaim = Boolean.compare(infinite(), other.infinite());
        return byClaim != 0 ? byClaim : Long.compare(value, other.value);
    }
}
