package dev.muster.binder;

import java.time.Duration;

/**
 * When decisions were last read. A binder that stood still (stopped, starved, on a frozen machine) does not know what was
 * decided meanwhile, and another may have carried it out: until it has read on, it makes and binds nothing.
 */
final class Pulse {
    static final long NEVER = Long.MIN_VALUE;

    private static final long UP_TO_DATE_NANOS = Duration.ofSeconds(10).toNanos();

    private final BinderClock clock;
    private volatile long beatNanos;
    private volatile long endNanos = NEVER;

    Pulse(BinderClock clock) {
        this.clock = clock;
        this.beatNanos = clock.nanoTime();
    }

    /**
     * Decisions were read.
     *
     * @param sinceNanos when that began: it may have stood still right after
     * @param toTheEnd whether no more of them were there
     */
    void beat(long sinceNanos, boolean toTheEnd) {
        beatNanos = sinceNanos;
        if (toTheEnd) {
            endNanos = sinceNanos;
        }
    }

    /** When it was last so that no decision was left to read: what is read next was written after it. {@link #NEVER} before the first time. */
    long endNanos() {
        return endNanos;
    }

    /** The clock that it is measured with. */
    long nanoTime() {
        return clock.nanoTime();
    }

    /** Whether that is less than ten seconds ago: less than any placement's deadline, after which it is taken back. */
    boolean upToDate() {
        return clock.nanoTime() - beatNanos < UP_TO_DATE_NANOS;
    }
}
