package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the controllers one after the other, each key once however many changes wait for it. */
final class ControllerLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final Duration RETRY_AFTER = Duration.ofMillis(20);

    private record Work(Controller controller, ObjectKey key) {}

    private final List<Controller> controllers;
    private final Timeline timeline;
    private final Set<Work> waiting = ConcurrentHashMap.newKeySet();

    ControllerLoop(VersionedStore store, List<Controller> controllers, Timeline timeline) {
        this.controllers = List.copyOf(controllers);
        this.timeline = timeline;
        store.subscribe(this::observe);
    }

    private void observe(Change change) {
        for (Controller controller : controllers) {
            try {
                new LinkedHashSet<>(controller.concerns(change))
                        .forEach(key -> enqueue(new Work(controller, key), Duration.ZERO));
            } catch (RuntimeException e) {
                // The change is committed: whatever a controller makes of it must not fail the write.
                LOG.error(
                        "{} can not judge a change of {}", controller.getClass().getSimpleName(), change.key(), e);
            }
        }
    }

    private void enqueue(Work work, Duration delay) {
        if (waiting.add(work)) {
            timeline.after(delay, () -> run(work));
        }
    }

    /** Looks again after a time, which does not keep changes from being looked at before. */
    private void later(Work work, Duration delay) {
        timeline.after(delay, () -> enqueue(work, Duration.ZERO));
    }

    private void run(Work work) {
        waiting.remove(work);
        try {
            work.controller().reconcile(work.key()).ifPresent(delay -> later(work, delay));
        } catch (ApiException e) {
            if (e.code() == 409 || e.code() == 404) {
                // Somebody else was faster: look again.
                enqueue(work, RETRY_AFTER);
            } else {
                LOG.warn("{} of {}: {}", work.controller().getClass().getSimpleName(), work.key(), e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.error("{} of {} failed", work.controller().getClass().getSimpleName(), work.key(), e);
        }
    }

    @Override
    public void close() {
        timeline.close();
    }
}
