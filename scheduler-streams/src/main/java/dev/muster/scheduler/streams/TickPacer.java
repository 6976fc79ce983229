package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a wanted tick is written: as soon as the input pauses, so that a round sees whole gangs and not each pod as it
 * arrives; under load every few milliseconds, and never so often that rounds take more than a third of the time.
 *
 * <p>Decides nothing: when ticks come is part of the input, and the journal records it.
 */
final class TickPacer {
    private static final long UNDER_LOAD_NANOS = Duration.ofMillis(5).toNanos();
    private static final int ROUND_SHARE = 2;

    private final LongSupplier nanoTime;
    private boolean waiting;
    private boolean recordSinceAsked;
    private long waitingSinceNanos;
    private long roundStartNanos;
    private long roundNanos;

    TickPacer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void record() {
        recordSinceAsked = true;
        if (!waiting) {
            waiting = true;
            waitingSinceNanos = nanoTime.getAsLong();
        }
    }

    /** Whether no record came since this was last asked. */
    boolean paused() {
        boolean paused = !recordSinceAsked;
        recordSinceAsked = false;
        return paused;
    }

    /** Whether a tick may be written although records keep coming. */
    boolean overdue() {
        return waiting
                && nanoTime.getAsLong() - waitingSinceNanos >= Math.max(UNDER_LOAD_NANOS, ROUND_SHARE * roundNanos);
    }

    void roundBegins() {
        roundStartNanos = nanoTime.getAsLong();
    }

    /** Returns how long the round took, nanoseconds. */
    long roundEnds() {
        roundNanos = nanoTime.getAsLong() - roundStartNanos;
        waiting = false;
        return roundNanos;
    }
}
