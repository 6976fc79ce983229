package dev.muster.ingest.watch;

import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.publish.KindPublisher.Sighting;
import dev.muster.ingest.publish.ObjectId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one kind: lists it, watches it, and starts again wherever that fails. It keeps no objects: what it sees is
 * reduced to facts at once, and a bounded queue of facts lies between the watch and the publisher.
 *
 * <p>A fresh list after a take-over is bracketed ({@link ResyncFence}). A watch that says nothing, not even a bookmark,
 * for {@link Settings#silence} is given up and the kind is listed again. Every {@link Settings#audit} a full list is
 * compared with what was published; a difference is repaired and counted.
 *
 * @param <T> the kind's class
 */
public final class KindInformer<T extends HasMetadata> {

    private static final Logger LOG = LoggerFactory.getLogger(KindInformer.class);
    private static final long TURN_MILLIS = 500;
    private static final long SHORTEST_LIST_INTERVAL_MILLIS = 1_000;

    /**
     * Durations and bounds.
     *
     * @param silence a watch that says nothing for so long is given up
     * @param audit time between comparisons of a full list with what was published
     * @param missingRecheck time between looks for a kind that the server does not have
     * @param queueCapacity facts that may wait for the publisher
     */
    public record Settings(Duration silence, Duration audit, Duration missingRecheck, int queueCapacity) {}

    /**
     * What is followed.
     *
     * @param optional the server may not have the kind: a CRD that is not installed
     * @param blind set to 1 while the kind cannot be seen
     */
    public record Subject<T extends HasMetadata>(
            String kind, boolean optional, ListWatch<T> source, KindPublisher<T> publisher, AtomicInteger blind) {}

    /**
     * What the kinds of a cluster share.
     *
     * @param lists permits for lists in flight
     * @param clock what durations are measured with and waited for
     */
    public record Shared(
            String cluster,
            ResyncFence fence,
            Settings settings,
            Semaphore lists,
            MeterRegistry meters,
            IngestClock clock) {}

    private final String kind;
    private final boolean optional;
    private final ListWatch<T> source;
    private final KindPublisher<T> publisher;
    private final ResyncFence fence;
    private final Settings settings;
    private final Backoff backoff;
    private final Semaphore lists;
    private final IngestClock clock;
    private final Audit<T> audit;

    private final Counter listed;
    private final Counter differences;
    private final Counter silences;
    private final AtomicInteger blind;

    private volatile long lastTurnNanos;
    private long lastListNanos;
    private int timesMissing;

    /** An informer; {@code backoff} is its own. */
    public KindInformer(Subject<T> subject, Shared shared, Backoff backoff) {
        this.kind = subject.kind();
        this.optional = subject.optional();
        this.source = subject.source();
        this.publisher = subject.publisher();
        this.blind = subject.blind();
        this.fence = shared.fence();
        this.settings = shared.settings();
        this.lists = shared.lists();
        this.backoff = backoff;
        this.clock = shared.clock();
        this.lastTurnNanos = clock.nanoTime();
        this.audit = new Audit<>(publisher, settings.audit(), clock, backoff);
        Tags tags = Tags.of("cluster", shared.cluster(), "kind", kind);
        this.listed = shared.meters().counter("muster.ingest.lists", tags);
        this.differences = shared.meters().counter("muster.ingest.audit.differences", tags);
        this.silences = shared.meters().counter("muster.ingest.silent.watches", tags);
    }

    /** Time since the loop last came round: it does so at least once a second unless something it needs is stuck. */
    public Duration sinceLastTurn() {
        return Duration.ofNanos(clock.nanoTime() - lastTurnNanos);
    }

    /** Follows the kind until the thread is interrupted. */
    public void run() throws InterruptedException {
        String position = null; // The resource version to watch from; null when a list is needed first.
        while (true) {
            turn();
            try {
                if (position == null) {
                    position = listAll();
                }
                if (position == null) {
                    pause(settings.missingRecheck());
                } else {
                    position = follow(position);
                }
            } catch (SourceException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                position = recover(e, position);
            }
        }
    }

    private String recover(SourceException e, String position) throws InterruptedException {
        if (e.kind() == SourceException.Kind.GONE || e.kind() == SourceException.Kind.MISSING) {
            LOG.debug("{}: {} from {}, listing again", publisher, e.kind(), position);
            return null;
        }
        Duration wait = backoff.next();
        if (e.retryAfter().compareTo(wait) > 0) {
            wait = e.retryAfter();
        }
        if (blind.getAndSet(1) == 0) {
            LOG.warn("{}: cannot be seen ({}), trying again: {}", publisher, e.kind(), e.getMessage());
        } else {
            LOG.debug("{}: still cannot be seen, next try in {}: {}", publisher, wait, e.getMessage());
        }
        pause(wait);
        return position;
    }

    private void seen() {
        backoff.reset();
        if (blind.getAndSet(0) == 1) {
            LOG.info("{}: can be seen again", publisher);
        }
    }

    // ---- list

    /** Makes what is published equal to a fresh list; its resource version, null when the server lacks the kind. */
    private String listAll() throws InterruptedException {
        audit.startOver();
        try {
            Set<String> present = new HashSet<>();
            String version = pages(item -> {
                Sighting sighting = publisher.project(item);
                present.add(sighting.id().path());
                publisher.seen(sighting);
            });
            timesMissing = 0;
            complete(present, ObjectId.versionOf(version));
            return version;
        } catch (SourceException e) {
            if (!optional || e.kind() != SourceException.Kind.MISSING) {
                throw e.kind() == SourceException.Kind.MISSING
                        ? new SourceException(SourceException.Kind.UNAVAILABLE, e.getMessage(), Duration.ZERO, e)
                        : e;
            }
            // A server that starts may not know its CRDs yet: objects fall away only when it says so twice.
            if (++timesMissing > 1 || publisher.size() == 0) {
                openBracket();
                complete(Set.of(), 0);
            }
            seen();
            return null;
        }
    }

    private void complete(Set<String> present, long version) {
        publisher.missing(present, version).forEach(publisher::deleted);
        boolean first = fence.isOpen(kind);
        if (first || version > 0) {
            // Also said of a later list under the same epoch: what came and went unseen before it is known to be gone.
            publisher.end(version);
        }
        if (first) {
            fence.close(kind);
            LOG.debug("{}: {} objects, {}", publisher, publisher.size(), fence);
        }
    }

    private void openBracket() {
        if (fence.open(kind)) {
            publisher.begin(fence.epoch());
        }
    }

    /** Reads all pages; the list's resource version. */
    private String pages(Consumer<T> each) throws InterruptedException {
        long sinceMillis = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - lastListNanos);
        if (lastListNanos != 0 && sinceMillis < SHORTEST_LIST_INTERVAL_MILLIS) {
            pause(Duration.ofMillis(SHORTEST_LIST_INTERVAL_MILLIS - sinceMillis));
        }
        while (!lists.tryAcquire(TURN_MILLIS, TimeUnit.MILLISECONDS)) {
            turn();
        }
        try {
            lastListNanos = clock.nanoTime();
            listed.increment();
            String next = "";
            String version;
            do {
                turn();
                ListWatch.Page<T> page = source.list(next);
                seen();
                openBracket();
                page.items().forEach(each);
                version = page.resourceVersion();
                next = page.next();
            } while (!next.isEmpty());
            return version;
        } finally {
            lists.release();
        }
    }

    // ---- watch

    /** Follows a watch to its end; where to go on from, null when a list is needed. */
    private String follow(String from) throws InterruptedException {
        String position = from;
        Inbox<T> inbox = new Inbox<>(publisher, settings.queueCapacity());
        boolean news = false;
        ListWatch.Open watch = source.watch(from, inbox);
        long opened = clock.nanoTime();
        long lastNews = opened;
        try {
            while (true) {
                turn();
                Inbox.Signal signal = inbox.poll(clock, TURN_MILLIS);
                long now = clock.nanoTime();
                if (signal == null) {
                    if (now - lastNews >= settings.silence().toNanos()) {
                        silences.increment();
                        LOG.warn("{}: the watch says nothing for {}, listing again", publisher, settings.silence());
                        return null;
                    }
                    seen(); // A watch that stays open is sight enough; in a quiet cluster nothing else comes for a
                    // while.
                } else if (signal instanceof Inbox.Signal.Ended ended) {
                    if (ended.cause() != null) {
                        throw ended.cause();
                    }
                    if (!news && now - opened < TimeUnit.SECONDS.toNanos(1)) {
                        throw new SourceException(SourceException.Kind.UNAVAILABLE, "the watch ended at once");
                    }
                    return position;
                } else {
                    lastNews = now;
                    news = true;
                    seen();
                    position = later(position, apply(signal));
                }
                audit(ObjectId.versionOf(position), now);
            }
        } finally {
            inbox.close();
            watch.close();
        }
    }

    /** Publishes a signal; the resource version that it brings the watch to. */
    private long apply(Inbox.Signal signal) {
        return switch (signal) {
            case Inbox.Signal.Changed changed -> {
                publisher.seen(changed.sighting());
                yield changed.sighting().id().resourceVersion();
            }
            case Inbox.Signal.Deleted deleted -> {
                publisher.deleted(deleted.id());
                yield deleted.id().resourceVersion();
            }
            case Inbox.Signal.Bookmark bookmark -> bookmark.version();
            case Inbox.Signal.Ended ended -> 0;
        };
    }

    private static String later(String position, long version) {
        return version > ObjectId.versionOf(position) ? Long.toString(version) : position;
    }

    private void audit(long position, long now) throws InterruptedException {
        if (audit.isDue(now)) {
            audit.compare(this::pages);
        }
        Optional<Audit.Settled> settled = audit.settle(position, now, settings.silence());
        if (settled.isEmpty()) {
            return;
        }
        publisher.end(settled.get().listVersion());
        int differing = settled.get().differing();
        if (differing > 0) {
            differences.increment(differing);
            LOG.warn("{}: {} objects differed from a full list and were published again", publisher, differing);
        }
    }

    private void turn() throws InterruptedException {
        lastTurnNanos = clock.nanoTime();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void pause(Duration wait) throws InterruptedException {
        long until = clock.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = until - clock.nanoTime()) {
            turn();
            clock.sleep(Math.min(Math.ceilDiv(left, 1_000_000L), TURN_MILLIS));
        }
    }
}
