package dev.muster.binder;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tells a decision under way that it is to end early: because a later decision takes it back, or because the binder
 * closes. The first ends it with an outcome; the second leaves it without one, to be done again at the next start.
 */
final class Halt {

    private final BooleanSupplier upToDate;
    private final LongSupplier nanoTime;
    private final long takenNanos;
    private final long absentNanos;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** For what hears of later decisions at once, and begins at once. */
    Halt() {
        this(() -> true, () -> 0, Pulse.NEVER);
    }

    /** For a decision that was read just now, by a loop with this pulse. */
    Halt(Pulse pulse) {
        this(pulse::upToDate, pulse::nanoTime, pulse.endNanos());
    }

    private Halt(BooleanSupplier upToDate, LongSupplier nanoTime, long absentNanos) {
        this.upToDate = upToDate;
        this.nanoTime = nanoTime;
        this.takenNanos = nanoTime.getAsLong();
        this.absentNanos = absentNanos;
    }

    /** How long ago the decision was read, milliseconds. */
    long waitedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - takenNanos);
    }

    /** How old the decision is at most, milliseconds, by when it was not there yet; without bound when that is not known. */
    long oldestMillis() {
        return absentNanos == Pulse.NEVER
                ? Long.MAX_VALUE
                : TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - absentNanos);
    }

    /** Whether it would be known by now if this decision had been taken back a while ago. */
    boolean isUpToDate() {
        return upToDate.getAsBoolean();
    }

    /** A later decision takes this one back: no further binding, settle what was done. */
    void revoke() {
        ended.countDown();
    }

    /** The binder closes: leave everything as it is. */
    void close() {
        closed.countDown();
        ended.countDown();
    }

    boolean isRevoked() {
        return ended.getCount() == 0 && !isClosed();
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Leaves the decision where it is if the binder closes. */
    void checkOpen() {
        if (isClosed() || Thread.currentThread().isInterrupted()) {
            throw new AbandonedException();
        }
    }

    /** Open as soon as the decision is taken back or the binder closes. */
    CountDownLatch ended() {
        return ended;
    }

    /** Open as soon as the binder closes. */
    CountDownLatch closed() {
        return closed;
    }
}
