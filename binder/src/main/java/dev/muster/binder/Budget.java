package dev.muster.binder;

import java.util.concurrent.TimeUnit;

/**
 * Time that is left for something, counted down on the monotonic clock so that a step of the wall clock moves no
 * deadline.
 */
record Budget(BinderClock clock, long endNanos) {

    private static final long FOR_EVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    static Budget until(BinderClock clock, long deadlineMillis) {
        return of(clock, deadlineMillis - clock.epochMillis());
    }

    static Budget of(BinderClock clock, long millis) {
        long bounded = Math.clamp(millis, -FOR_EVER_MILLIS, FOR_EVER_MILLIS);
        return new Budget(clock, clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(bounded));
    }

    static Budget unlimited(BinderClock clock) {
        return of(clock, FOR_EVER_MILLIS);
    }

    /** Milliseconds left, rounded up; 0 when it is spent. */
    long leftMillis() {
        long nanos = endNanos - clock.nanoTime();
        return nanos <= 0 ? 0 : Math.ceilDiv(nanos, 1_000_000L);
    }

    boolean spent() {
        return endNanos - clock.nanoTime() <= 0;
    }
}
