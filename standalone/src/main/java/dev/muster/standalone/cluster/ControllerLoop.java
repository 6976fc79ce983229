package dev.muster.standalone.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the controllers on one thread, each key once however many changes wait for it. */
final class ControllerLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final long RETRY_MILLIS = 20;

    private record Work(Controller controller, ObjectKey key) {}

    private final List<Controller> controllers;
    private final ScheduledThreadPoolExecutor executor;
    private final Set<Work> waiting = ConcurrentHashMap.newKeySet();

    ControllerLoop(VersionedStore store, List<Controller> controllers, String cluster) {
        this.controllers = List.copyOf(controllers);
        this.executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("controllers-" + cluster).daemon().factory());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        store.subscribe(this::observe);
    }

    private void observe(Change change) {
        for (Controller controller : controllers) {
            try {
                new HashSet<>(controller.concerns(change)).forEach(key -> enqueue(new Work(controller, key), 0));
            } catch (RuntimeException e) {
                // The change is committed: whatever a controller makes of it must not fail the write.
                LOG.error(
                        "{} can not judge a change of {}", controller.getClass().getSimpleName(), change.key(), e);
            }
        }
    }

    private void enqueue(Work work, long delayMillis) {
        if (!waiting.add(work)) {
            return;
        }
        try {
            executor.schedule(() -> run(work), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the controllers are stopped");
        }
    }

    private void run(Work work) {
        waiting.remove(work);
        try {
            work.controller().reconcile(work.key());
        } catch (ApiException e) {
            if (e.code() == 409 || e.code() == 404) {
                // Somebody else was faster: look again.
                enqueue(work, RETRY_MILLIS);
            } else {
                LOG.warn("{} of {}: {}", work.controller().getClass().getSimpleName(), work.key(), e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.error("{} of {} failed", work.controller().getClass().getSimpleName(), work.key(), e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
