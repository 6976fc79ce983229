package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One watch: a cursor in the ring of changes of its kind, driven by a virtual thread of its own. There is no queue per
 * watch. A client that reads too slowly falls out of the ring and gets 410, as with a real API server.
 */
final class WatchLoop {

    /** Where the events of a watch go. */
    interface Sink {
        void send(String type, byte[] object) throws IOException;

        void flush() throws IOException;

        boolean open();

        /** Cuts the connection, without the good manners of a normal end. */
        void abort();
    }

    private static final int BATCH = 256;
    private static final long LOOK_AROUND_MILLIS = 500;
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private final VersionedStore store;
    private final Faults faults;
    private final ApiRequest request;
    private final Selector selector;
    private final Duration bookmarkInterval;
    private final BooleanSupplier serving;
    private final boolean expireAtOnce;
    private final long generation;

    WatchLoop(
            VersionedStore store,
            Faults faults,
            ApiRequest request,
            boolean expireAtOnce,
            Duration bookmarkInterval,
            BooleanSupplier serving) {
        this.store = store;
        this.faults = faults;
        this.request = request;
        this.selector = request.selector();
        this.expireAtOnce = expireAtOnce;
        this.bookmarkInterval = bookmarkInterval;
        this.serving = serving;
        // Taken before the client hears that it watches: a cut from then on is meant for this watch, too.
        this.generation = faults.watchGeneration(request.kind());
    }

    /** Sends events until the client leaves, the time is up, or the history is lost. */
    void run(Sink sink) throws IOException, InterruptedException {
        try {
            if (expireAtOnce) {
                throw ApiException.expired("too old resource version: " + request.param("resourceVersion"));
            }
            follow(sink, start(sink));
        } catch (ApiException e) {
            // Once a watch is accepted, its errors are events, also the first one (cacher.go says why).
            sink.send("ERROR", Json.bytes(e.status()));
            sink.flush();
        }
    }

    /** Sends what is there already where the client wants that, and returns the version to go on from. */
    private long start(Sink sink) throws IOException {
        String version = request.param("resourceVersion");
        boolean wantsState = request.flag("sendInitialEvents");
        boolean stateByDefault =
                request.param("sendInitialEvents").isEmpty() && (version.isEmpty() || version.equals("0"));
        if (!wantsState && !stateByDefault) {
            return version.isEmpty() || version.equals("0")
                    ? store.resourceVersion()
                    : ObjectReader.parseVersion(version);
        }
        VersionedStore.Snapshot snapshot = store.list(request.kind(), request.namespace());
        for (StoredObject object : snapshot.objects()) {
            if (selector.matches(object)) {
                sink.send("ADDED", object.bytes());
            }
        }
        if (wantsState && request.flag("allowWatchBookmarks")) {
            sink.send("BOOKMARK", bookmark(snapshot.resourceVersion(), true));
        }
        sink.flush();
        return snapshot.resourceVersion();
    }

    private void follow(Sink sink, long from) throws IOException, InterruptedException {
        long timeoutSeconds = request.number("timeoutSeconds");
        long end = System.nanoTime()
                + (timeoutSeconds > 0 ? TimeUnit.SECONDS.toNanos(timeoutSeconds) : Long.MAX_VALUE / 4);
        long nextBookmark = System.nanoTime() + bookmarkInterval.toNanos();
        long cursor = from;
        while (serving.getAsBoolean() && sink.open() && System.nanoTime() - end < 0) {
            if (generation != faults.watchGeneration(request.kind())) {
                sink.abort();
                return;
            }
            if (faults.silent(request.kind())) {
                Thread.sleep(20);
                continue;
            }
            VersionedStore.Batch batch =
                    store.read(request.kind(), cursor, BATCH, waitMillis(Math.min(end, nextBookmark)));
            if (faults.silent(request.kind())) {
                continue;
            }
            for (Change change : batch.changes()) {
                send(sink, change);
            }
            cursor = batch.resourceVersion();
            if (request.flag("allowWatchBookmarks") && System.nanoTime() - nextBookmark >= 0) {
                sink.send("BOOKMARK", bookmark(cursor, false));
                nextBookmark = System.nanoTime() + bookmarkInterval.toNanos();
            }
            sink.flush();
        }
    }

    private static long waitMillis(long until) {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()) + 1;
        return Math.clamp(left, 1, LOOK_AROUND_MILLIS);
    }

    /** An object that leaves the selection is deleted for this watch, one that enters is added. */
    private void send(Sink sink, Change change) throws IOException {
        boolean was = change.before() != null && selector.matches(change.before());
        boolean is = change.type() != Change.Type.DELETED && selector.matches(change.after());
        if (is) {
            sink.send(was ? "MODIFIED" : "ADDED", change.after().bytes());
        } else if (was && change.type() == Change.Type.DELETED) {
            sink.send("DELETED", change.after().bytes());
        } else if (was) {
            ObjectNode last = Json.thaw(change.before().json());
            ((ObjectNode) last.get("metadata")).put("resourceVersion", Long.toString(change.resourceVersion()));
            sink.send("DELETED", Json.bytes(last));
        }
    }

    private byte[] bookmark(long version, boolean initialEventsEnd) {
        ObjectNode object = Json.object();
        object.put("kind", request.kind().kind())
                .put("apiVersion", request.kind().apiVersion());
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(version)).putNull("creationTimestamp");
        if (initialEventsEnd) {
            metadata.putObject("annotations").put(INITIAL_EVENTS_END, "true");
        }
        return Json.bytes(object);
    }
}
