package dev.muster.binder;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/**
 * Tells a decision under way that it is to end early: because a later decision takes it back, or because the binder
 * closes. The first ends it with an outcome; the second leaves it without one, to be done again at the next start.
 */
final class Halt {

    private final BooleanSupplier upToDate;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** For what hears of later decisions at once. */
    Halt() {
        this(() -> true);
    }

    /** @param upToDate whether a later decision would have been heard of by now */
    Halt(BooleanSupplier upToDate) {
        this.upToDate = upToDate;
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
