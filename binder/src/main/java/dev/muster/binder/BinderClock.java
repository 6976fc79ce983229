package dev.muster.binder;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time as the binder sees it: wall time to read a deadline once, monotonic time for every duration after that. */
public interface BinderClock {

    /** The clock of this machine. */
    BinderClock SYSTEM = by(InstantSource.system());

    /** This machine's time, except that its wall clock is another one. */
    static BinderClock by(InstantSource wall) {
        return new BinderClock() {
            @Override
            public long epochMillis() {
                return wall.millis();
            }

            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void await(CountDownLatch latch, long millis) throws InterruptedException {
                // Which of the two ended the wait is asked of the latch by those who care.
                latch.await(millis, TimeUnit.MILLISECONDS);
            }
        };
    }

    /** Wall time, epoch milliseconds. */
    long epochMillis();

    /** Monotonic time in nanoseconds, of no meaning but for differences. */
    long nanoTime();

    /** Waits until the latch is open, but no longer than {@code millis}. */
    void await(CountDownLatch latch, long millis) throws InterruptedException;
}
