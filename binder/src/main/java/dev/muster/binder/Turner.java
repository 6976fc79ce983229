package dev.muster.binder;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that does the same again and again, and knows when it last came round. */
final class Turner implements AutoCloseable {

    /** What is done each time round. */
    @FunctionalInterface
    interface Turn {
        void once() throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Turner.class);
    private static final Duration LEAVE = Duration.ofSeconds(10);

    private final Thread thread;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile long roundNanos = System.nanoTime();
    private volatile boolean closed;

    /** Turns until closed, or until a turn throws; {@code atEnd} runs on the same thread afterwards. */
    Turner(String name, Turn turn, Runnable atEnd) {
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(() -> run(turn, atEnd));
    }

    Turner start() {
        thread.start();
        return this;
    }

    /** Comes round at least every {@code atMost}, and has not failed. */
    boolean isHealthy(Duration atMost) {
        return failure.get() == null && !closed && System.nanoTime() - roundNanos < atMost.toNanos();
    }

    /** What a turn threw; no further one is taken. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(LEAVE)) {
                thread.interrupt();
                thread.join(LEAVE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Turn turn, Runnable atEnd) {
        try {
            while (!closed) {
                turn.once();
                roundNanos = System.nanoTime();
            }
        } catch (InterruptedException | AbandonedException e) {
            LOG.debug("{} ends", thread.getName());
        } catch (RuntimeException | Error e) {
            failure.set(e);
            LOG.error("{} stopped after {} ms", thread.getName(), sinceRoundMillis(), e);
        } finally {
            try {
                atEnd.run();
            } catch (RuntimeException e) {
                LOG.warn("{} did not end cleanly", thread.getName(), e);
            }
        }
    }

    private long sinceRoundMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - roundNanos);
    }
}
