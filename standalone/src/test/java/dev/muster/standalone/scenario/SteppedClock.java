package dev.muster.standalone.scenario;

import dev.muster.binder.BinderClock;
import dev.muster.standalone.cluster.Timeline;
import dev.muster.standalone.cluster.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Virtual time for a binder on threads of its own: waits end when the one who drives the time has driven it that far. */
final class SteppedClock implements BinderClock {

    private static final long LOOK_AROUND_MILLIS = 1;

    private final VirtualTime time;
    private final AtomicInteger waiting = new AtomicInteger();

    SteppedClock(VirtualTime time) {
        this.time = time;
    }

    /** How many threads wait for time to pass, or for what they may be told before. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public long epochMillis() {
        return time.nowMillis();
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(time.nowMillis());
    }

    @Override
    public void await(CountDownLatch latch, long millis) throws InterruptedException {
        CountDownLatch due = new CountDownLatch(1);
        Timeline.Scheduled end = time.after(Duration.ofMillis(millis), due::countDown);
        waiting.incrementAndGet();
        try {
            while (due.getCount() > 0 && !latch.await(LOOK_AROUND_MILLIS, TimeUnit.MILLISECONDS)) {
                // Either may come first.
            }
        } finally {
            waiting.decrementAndGet();
            end.cancel();
        }
    }
}
