package dev.muster.standalone.faults;

import dev.muster.ingest.watch.ListWatch;
import dev.muster.ingest.watch.SourceException;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.Timeline;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.virtual.Fibers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Lists and watches of one kind for one ingest, over an API server and a network that have the seed's faults. A watch tells
 * every change in order unless a fault says otherwise; what a broken watch had not told yet it never tells.
 */
final class FaultySource<T extends HasMetadata> implements ListWatch<T> {
    private static final long BOOKMARK_MILLIS = 40_000;
    private static final int PAGE = 40;

    private final ResourceKind kind;
    private final Class<T> type;
    private final ClusterFeed feed;
    private final VirtualTime time;
    private final Fibers fibers;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final Runnable onEvent;
    private List<HasMetadata> pages = List.of();
    private String pagesVersion = "";

    /** A source; {@code onEvent} runs at each event of a watch, and may kill the process that watches. */
    FaultySource(
            ResourceKind kind,
            Class<T> type,
            ClusterFeed feed,
            VirtualTime time,
            Fibers fibers,
            FaultPlan faults,
            SplittableRandom random,
            Runnable onEvent) {
        this.kind = kind;
        this.type = type;
        this.feed = feed;
        this.time = time;
        this.fibers = fibers;
        this.faults = faults;
        this.random = random;
        this.onEvent = onEvent;
        feed.follow(kind, type);
    }

    @Override
    public Page<T> list(String next) {
        fibers.sleep(1 + random.nextInt(20));
        if (faults.strikes(Fault.LIST_FAILS)) {
            throw failure();
        }
        int from = 0;
        if (next.isEmpty()) {
            pages = feed.list(kind);
            pagesVersion = Long.toString(feed.cluster().store().resourceVersion());
        } else {
            from = Integer.parseInt(next);
        }
        int to = Math.min(pages.size(), from + PAGE);
        List<T> items = new ArrayList<>();
        pages.subList(from, to).forEach(item -> items.add(type.cast(item)));
        return new Page<>(items, pagesVersion, to < pages.size() ? Integer.toString(to) : "");
    }

    private SourceException failure() {
        return random.nextBoolean()
                ? new SourceException(SourceException.Kind.UNAVAILABLE, "500")
                : new SourceException(SourceException.Kind.BUSY, "429", Duration.ofSeconds(1), null);
    }

    @Override
    public Open watch(String resourceVersion, Sink<T> sink) {
        fibers.sleep(1 + random.nextInt(10));
        long from = Long.parseLong(resourceVersion);
        if (feed.tooOld(kind, from)) {
            throw new SourceException(SourceException.Kind.GONE, "410: " + from + " is too old");
        }
        return new Watch(from, sink);
    }

    private final class Watch implements Open {
        private final Sink<T> sink;
        private final Consumer<ClusterFeed.Told> listener = this::changed;
        private Timeline.Scheduled bookmark;
        private long lastAt;
        private boolean open = true;
        private boolean silent;

        Watch(long from, Sink<T> sink) {
            this.sink = sink;
            feed.after(kind, from).forEach(this::changed);
            feed.subscribe(kind, listener);
            bookmark = time.after(Duration.ofMillis(BOOKMARK_MILLIS), this::bookmark);
        }

        private void changed(ClusterFeed.Told told) {
            if (!open || silent) {
                return;
            }
            long at = Math.max(lastAt, time.nowMillis() + 1 + random.nextInt(8));
            if (faults.strikes(Fault.WATCH_LATE)) {
                at += faults.amount(Fault.WATCH_LATE, 20, 8_000);
            }
            if (faults.strikes(Fault.WATCH_REORDERS)) {
                // It alone comes later; those after it do not wait.
                time.at(at + faults.amount(Fault.WATCH_REORDERS, 10, 3_000), () -> tell(told));
            } else {
                lastAt = at;
                time.at(at, () -> tell(told));
            }
            if (faults.strikes(Fault.WATCH_REPEATS)) {
                time.at(at + faults.amount(Fault.WATCH_REPEATS, 0, 5_000), () -> tell(told));
            }
        }

        private void tell(ClusterFeed.Told told) {
            if (!open || silent) {
                return;
            }
            if (told.type().equals("DELETED")) {
                sink.deleted(type.cast(told.object()));
            } else {
                sink.changed(type.cast(told.object()));
            }
            if (faults.strikes(Fault.WATCH_SILENT)) {
                silent = true;
            } else if (faults.strikes(Fault.WATCH_410)) {
                feed.compact(kind);
                end(random.nextBoolean() ? new SourceException(SourceException.Kind.GONE, "410 in the stream") : null);
            } else if (faults.strikes(Fault.WATCH_BREAKS)) {
                end(random.nextBoolean() ? failure() : null);
            }
            onEvent.run();
        }

        private void end(SourceException cause) {
            stop();
            sink.ended(cause);
        }

        private void bookmark() {
            if (open && !silent) {
                // Only when nothing is on its way, as a server does it.
                if (lastAt <= time.nowMillis()) {
                    sink.bookmark(Long.toString(feed.cluster().store().resourceVersion()));
                }
                bookmark = time.after(Duration.ofMillis(BOOKMARK_MILLIS), this::bookmark);
            }
        }

        private void stop() {
            open = false;
            bookmark.cancel();
            feed.unsubscribe(kind, listener);
        }

        @Override
        public void close() {
            stop();
        }
    }
}
