package dev.muster.binder;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only where somebody waits, and then at once. */
final class FakeClock implements BinderClock {

    static final long START_MILLIS = 1_000_000L;

    private final AtomicLong millis = new AtomicLong(START_MILLIS);

    @Override
    public long epochMillis() {
        return millis.get();
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(millis.get());
    }

    @Override
    public void await(CountDownLatch latch, long waitMillis) {
        if (latch.getCount() > 0) {
            millis.addAndGet(waitMillis);
        }
    }

    void advance(long byMillis) {
        millis.addAndGet(byMillis);
    }
}
