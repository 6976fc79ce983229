package dev.muster.ingest.watch;

import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.publish.KindPublisher.Sighting;
import dev.muster.ingest.publish.ObjectId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a full list with what was published while the watch goes on. What differs when the list is taken may only be
 * news that the watch has not told yet; what still differs when the watch has come as far as the list was missed. Only
 * the objects that differ are kept in between.
 */
final class Audit<T extends HasMetadata> {

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

    /** Reads all pages of a list and gives its resource version. */
    interface Pages<T> {
        String readAll(Consumer<T> each) throws InterruptedException;
    }

    private record Found(long version, long takenNanos, List<Sighting> changed, List<ObjectId> missing) {}

    private final KindPublisher<T> publisher;
    private final Duration interval;
    private final IngestClock clock;
    private final Backoff jitter;
    private long nextNanos;
    private Found found;

    Audit(KindPublisher<T> publisher, Duration interval, IngestClock clock, Backoff jitter) {
        this.publisher = publisher;
        this.interval = interval;
        this.clock = clock;
        this.jitter = jitter;
        startOver();
    }

    /** The kind was just listed: forgets what was found, and waits a whole interval, less some jitter. */
    void startOver() {
        found = null;
        // Kinds that were listed together are not compared together.
        long nanos = interval.toNanos();
        nextNanos = clock.nanoTime() + nanos - jitter.upTo(nanos / 10);
    }

    boolean isDue(long nowNanos) {
        return found == null && nowNanos - nextNanos >= 0;
    }

    /** Takes a list and keeps what differs; a list that fails is tried again after another interval. */
    void compare(Pages<T> pages) throws InterruptedException {
        startOver();
        Set<String> present = new HashSet<>();
        List<Sighting> changed = new ArrayList<>();
        try {
            long version = ObjectId.versionOf(pages.readAll(item -> {
                Sighting sighting = publisher.project(item);
                present.add(sighting.id().path());
                if (publisher.wouldChange(sighting)) {
                    changed.add(sighting);
                }
            }));
            found = new Found(version, clock.nanoTime(), changed, publisher.missing(present, version));
        } catch (SourceException e) {
            LOG.debug("{}: the list to compare with failed: {}", publisher, e.getMessage());
        }
    }

    /** Everything up to the list's version is published; so many objects had been missed. */
    record Settled(long listVersion, int differing) {}

    /**
     * Publishes what still differs once the watch has come as far as the list, or has had {@code patience} to come there;
     * empty while there is nothing to settle.
     */
    Optional<Settled> settle(long position, long nowNanos, Duration patience) {
        Found due = found;
        if (due == null || (position < due.version && nowNanos - due.takenNanos <= patience.toNanos())) {
            return Optional.empty();
        }
        found = null;
        int differing = 0;
        for (Sighting sighting : due.changed) {
            differing += publisher.seen(sighting) ? 1 : 0;
        }
        for (ObjectId id : due.missing) {
            differing += publisher.deleted(id) ? 1 : 0;
        }
        return Optional.of(new Settled(due.version, differing));
    }
}
