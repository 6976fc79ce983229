package dev.muster.standalone.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C as a request: the process is asked to end, and goes when {@link #close} is called, so that a summary can be
 * printed in between; after 30 s it goes anyhow.
 */
public final class Interruption implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::hold, "interruption");

    private Interruption() {}

    /** Listens to the end of this process from now on. */
    public static Interruption ofProcess() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Waits for the request; whether it came. */
    public boolean within(Duration time) throws InterruptedException {
        return requested.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for the request, however long. */
    public void await() throws InterruptedException {
        requested.await();
    }

    /** The work is done: nothing holds the process any more. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has been running, and returns now.
        }
    }

    private void hold() {
        requested.countDown();
        try {
            closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
