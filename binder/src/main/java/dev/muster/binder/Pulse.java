package dev.muster.binder;

import java.time.Duration;

/**
 * When decisions were last read. A binder that stood still (stopped, starved, on a frozen machine) does not know what was
 * decided meanwhile, and another may have carried it out: until it has read on, it makes and binds nothing.
 */
final class Pulse {
    private static final long UP_TO_DATE_NANOS = Duration.ofSeconds(10).toNanos();

    private final BinderClock clock;
    private volatile long beatNanos;

    Pulse(BinderClock clock) {
        this.clock = clock;
        beat();
    }

    /** Decisions were read just now. */
    void beat() {
        beatNanos = clock.nanoTime();
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
