package dev.muster.standalone.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cluster time that passes by itself: one thread; delays are real time divided by the speed. */
final class RealTimeline implements Timeline {

    private static final Logger LOG = LoggerFactory.getLogger(RealTimeline.class);
    private static final Scheduled NEVER = () -> {};

    private final ScheduledThreadPoolExecutor executor;
    private final double speed;
    private final InstantSource clock;
    private final long beganNanos = System.nanoTime();

    /** A timeline whose thread has that name; {@code clock} dates what happens, and decides nothing. */
    RealTimeline(String thread, double speed, InstantSource clock) {
        this.speed = speed;
        this.clock = clock;
        this.executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name(thread).daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public long elapsedMillis() {
        return (long) ((System.nanoTime() - beganNanos) * speed / 1_000_000);
    }

    @Override
    public Scheduled after(Duration delay, Runnable work) {
        try {
            Future<?> future =
                    executor.schedule(() -> guarded(work), (long) (delay.toNanos() / speed), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.debug("not any more: the cluster is closed");
            return NEVER;
        }
    }

    @Override
    public void execute(Runnable work) {
        try {
            executor.execute(() -> guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("not any more: the cluster is closed");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("a part of the simulated cluster failed", e);
        }
    }
}
