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
    /** Of one that uses nothing. */
    public static final Share NOTHING = none(false);

    private static final int BITS = 20;

    private static final int WHOLE_MILLI = 1000;

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

    /** 2^20 times borrowed / lendable / weight, rounded down; large amounts in coarser units. */
    static long part(long borrowed, long lendable, int weightMilli) {
        if (lendable <= 0) {
            return 0;
        }
        int coarser = Math.max(0, 64 - Long.numberOfLeadingZeros(Math.max(borrowed, lendable)) - 32);
        long whole = Math.max(1, lendable >> coarser);
        long part = ((borrowed >> coarser) << BITS) / whole;
        return weightMilli == 0 ? part : part * WHOLE_MILLI / weightMilli;
    }

    /** What is used of a whole; of one that has no claim, all as soon as it uses anything. */
    public static Share of(String resource, long used, long whole, int weightMilli) {
        long value = whole > 0 ? part(used, whole, weightMilli) : used > 0 ? 1L << BITS : 0;
        return new Share(false, value, false, resource);
    }

    /**
     * The same with the value larger by so many thousandths of the whole, and by what was rounded down: no share that is equal
     * to the sum is larger.
     */
    public Share plusMilli(int milli) {
        long more = ((long) milli << BITS) / WHOLE_MILLI + 2;
        return milli == 0 ? this : new Share(borrowing, value + more, weightless, resource);
    }

    /** The value in thousandths of the whole, rounded down. */
    public long milli() {
        return value * WHOLE_MILLI >> BITS;
    }
}
