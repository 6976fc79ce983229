package dev.muster.scheduler.streams;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Domain time while a task runs: the wall clock as it was when the task started, or the domain's time where that was later,
 * and from then on the monotonic clock. So a wall clock that is set anew lets no deadline pass and no time stand still.
 * Where the two differ, by a step or by a machine that slept, domain time runs a tenth faster or slower until it is the
 * wall clock's time again: never backwards, and a hold's 30 seconds are 27 at least.
 */
final class DomainClock {
    /** The share of the passing time by which domain time may differ from it. */
    private static final int SLEW = 10;

    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final long beginMillis;
    private long seenNanos;
    private long passedNanos;

    /** @param domainMillis the time of the domain's last entry */
    DomainClock(long domainMillis, InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.beginMillis = Math.max(domainMillis, wall.millis());
        this.seenNanos = nanoTime.getAsLong();
    }

    long millis() {
        long nanos = nanoTime.getAsLong();
        long since = Math.max(0, nanos - seenNanos);
        seenNanos += since;
        passedNanos += since;
        long behindMillis = wall.millis() - reached();
        passedNanos += Math.clamp(TimeUnit.MILLISECONDS.toNanos(behindMillis), -(since / SLEW), since / SLEW);
        return reached();
    }

    private long reached() {
        return beginMillis + TimeUnit.NANOSECONDS.toMillis(passedNanos);
    }
}
