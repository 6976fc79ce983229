package dev.muster.scheduler.core.quota;

/**
 * Decay by a half-life, in integers: after a half-life half of a difference is left.
 *
 * <p>What is left after x half-lives is 2^-x. Its whole part is a shift; of its fraction each of 28 binary digits is a factor
 * 2^-(1/2), 2^-(1/4), and so on, kept as parts of 2^62 and made by square roots in integers. So equal times give equal results
 * wherever they are worked out.
 */
public final class Decay {
    private static final int ONE_BITS = 62;
    private static final long ONE = 1L << ONE_BITS;
    private static final int DIGITS = 28;
    private static final long[] FACTORS = factors();

    private Decay() {}

    private static long[] factors() {
        long[] factors = new long[DIGITS];
        long last = ONE >> 1;
        for (int i = 0; i < DIGITS; i++) {
            last = root(last);
            factors[i] = last;
        }
        return factors;
    }

    /** The largest x with x * x <= value * 2^62. */
    private static long root(long value) {
        long high = value >>> 2;
        long low = value << ONE_BITS;
        long root = 0;
        for (int bit = ONE_BITS - 1; bit >= 0; bit--) {
            long tried = root | 1L << bit;
            long triedHigh = Math.multiplyHigh(tried, tried);
            boolean small = triedHigh < high || triedHigh == high && Long.compareUnsigned(tried * tried, low) <= 0;
            root = small ? tried : root;
        }
        return root;
    }

    /**
     * What becomes of an average, when for so long something else was seen: it moves towards that, half of the way in a
     * half-life, rounded down.
     *
     * @param before the average, 0..2^61
     * @param seen the same of what was seen
     * @param millis for how long
     * @param halfLifeMillis up to a few years; 0: only what is seen counts
     */
    public static long towards(long before, long seen, long millis, long halfLifeMillis) {
        if (halfLifeMillis == 0 || millis / halfLifeMillis >= ONE_BITS) {
            return seen;
        }
        long difference = before - seen;
        long left = left(millis, halfLifeMillis);
        long high = Math.multiplyHigh(difference, left);
        return seen + (high << 2 | difference * left >>> ONE_BITS);
    }

    /** 2^-(millis / halfLife), in parts of 2^62. */
    private static long left(long millis, long halfLifeMillis) {
        long fraction = (millis % halfLifeMillis << DIGITS) / halfLifeMillis;
        long left = ONE;
        for (int i = 0; i < DIGITS; i++) {
            if ((fraction >>> DIGITS - 1 - i & 1) == 1) {
                left = Math.multiplyHigh(left, FACTORS[i]) << 2 | left * FACTORS[i] >>> ONE_BITS;
            }
        }
        return left >> (int) (millis / halfLifeMillis);
    }
}
