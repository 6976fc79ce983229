package dev.muster.ingest.watch;

import java.util.List;

/**
 * How one kind is read from an API server.
 *
 * @param <T> the kind's class
 */
public interface ListWatch<T> {

    /**
     * One page of a list.
     *
     * @param items objects
     * @param resourceVersion version of the list, the same on all its pages: a watch goes on from there
     * @param next token of the next page; empty on the last one
     */
    record Page<T>(List<T> items, String resourceVersion, String next) {}

    /** Told what happens; calls come one after the other, and waiting in them slows the server down. */
    interface Sink<T> {
        /** An object was added or changed. */
        void changed(T object);

        /** An object was deleted; this is its last state. */
        void deleted(T object);

        /** Nothing happened up to this resource version. */
        void bookmark(String resourceVersion);

        /** The watch ended; {@code cause} is null where the server just closed it. */
        void ended(SourceException cause);
    }

    /** An open watch. */
    interface Open extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Reads one page of all objects.
     *
     * @param next token of the page; empty for the first one
     * @throws SourceException when that fails
     */
    Page<T> list(String next);

    /**
     * Watches all objects from a resource version on, with bookmarks. Does not reconnect by itself.
     *
     * @throws SourceException when the watch cannot be opened
     */
    Open watch(String resourceVersion, Sink<T> sink);
}
