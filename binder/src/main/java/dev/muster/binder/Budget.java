package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
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

    /**
     * The time until a decision's deadline, but never more than the scheduler gave it when it decided, counted from when it was
     * read: the clocks of two machines may lie, and it may have waited behind another while this binder stood still. Where the
     * deadline is over by this clock although the decision was not there yet a moment ago, the clocks are too far apart to
     * be compared, and it counts from that moment.
     */
    static Budget ofDecision(BinderClock clock, Decision decision, long deadlineMillis, Halt halt) {
        long given = deadlineMillis - decision.getTimeMillis();
        long left = deadlineMillis - clock.epochMillis();
        if (left < 0 && halt.oldestMillis() < given) {
            left = given - halt.oldestMillis();
        }
        return of(clock, Math.min(left, given - halt.waitedMillis()));
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
