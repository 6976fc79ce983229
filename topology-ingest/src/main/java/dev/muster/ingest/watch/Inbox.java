package dev.muster.ingest.watch;

import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.publish.KindPublisher.Sighting;
import dev.muster.ingest.publish.ObjectId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Takes what a watch says, on the client's thread, reduces it to facts, and waits where the publisher is behind: that
 * holds the server back instead of losing anything or filling the heap.
 */
final class Inbox<T extends HasMetadata> implements ListWatch.Sink<T> {

    private static final long OFFER_MILLIS = 500;

    /** What came out of the watch. */
    sealed interface Signal {
        /** An object was added or changed. */
        record Changed(Sighting sighting) implements Signal {}

        /** An object was deleted. */
        record Deleted(ObjectId id) implements Signal {}

        /** Nothing happened up to this resource version. */
        record Bookmark(long version) implements Signal {}

        /** The watch ended; the cause is null where the server just closed it. */
        record Ended(SourceException cause) implements Signal {}
    }

    private final KindPublisher<T> publisher;
    private final BlockingQueue<Signal> queue;
    private volatile boolean closed;

    Inbox(KindPublisher<T> publisher, int capacity) {
        this.publisher = publisher;
        this.queue = new ArrayBlockingQueue<>(capacity);
    }

    /** The next signal; null when there is none in time. */
    Signal poll(IngestClock clock, long millis) throws InterruptedException {
        return clock.poll(queue, millis);
    }

    /** Nobody reads any more: what still comes is dropped, and nobody waits. */
    void close() {
        closed = true;
    }

    @Override
    public void changed(T object) {
        put(new Signal.Changed(publisher.project(object)));
    }

    @Override
    public void deleted(T object) {
        put(new Signal.Deleted(publisher.idOf(object)));
    }

    @Override
    public void bookmark(String resourceVersion) {
        put(new Signal.Bookmark(ObjectId.versionOf(resourceVersion)));
    }

    @Override
    public void ended(SourceException cause) {
        put(new Signal.Ended(cause));
    }

    private void put(Signal signal) {
        try {
            boolean taken = false;
            while (!closed && !taken) {
                taken = queue.offer(signal, OFFER_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
