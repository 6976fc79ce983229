package dev.muster.standalone.virtual;

import dev.muster.binder.BinderClock;
import dev.muster.standalone.cluster.VirtualTime;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Virtual time as a binder sees it; what waits on it must be a fiber. */
public final class FiberClock implements BinderClock {

    private final VirtualTime time;
    private final Fibers fibers;
    private long wallAheadMillis;

    /** A clock that shows the right time. */
    public FiberClock(VirtualTime time, Fibers fibers) {
        this.time = time;
        this.fibers = fibers;
    }

    /** Lets the wall clock be ahead of the cluster's by that much, or behind where it is below 0. */
    public void setWallAheadMillis(long millis) {
        wallAheadMillis = millis;
    }

    @Override
    public long epochMillis() {
        return time.nowMillis() + wallAheadMillis;
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(time.nowMillis());
    }

    @Override
    public void await(CountDownLatch latch, long millis) {
        fibers.await(latch, millis);
    }
}
