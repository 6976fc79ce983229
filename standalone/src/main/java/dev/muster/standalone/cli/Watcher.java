package dev.muster.standalone.cli;

import dev.muster.standalone.stack.TopicReader;
import java.util.List;
import java.util.function.Predicate;

/**
 * Prints what changes after a list was printed.
 *
 * @param <T> a thing listed
 */
final class Watcher<T> {
    private final Listing<T> listing;
    private final Environment environment;
    private final OutputOptions rows;
    private final Predicate<T> wanted;
    private boolean following;

    Watcher(Listing<T> listing, Environment environment, OutputOptions options, Predicate<T> wanted) {
        this.listing = listing;
        this.environment = environment;
        this.wanted = wanted;
        this.rows = new OutputOptions();
        rows.format = options.format;
        rows.noHeaders = true;
    }

    /** A thing is as given now; null when it is forgotten. Printed once {@link #follow} was called. */
    void changed(T thing) {
        if (following && thing != null && wanted.test(thing)) {
            listing.print(environment, rows, List.of(thing));
            environment.out().flush();
        }
    }

    /** Reads on until the process is ended. */
    void follow(TopicReader reader) {
        following = true;
        while (!Thread.currentThread().isInterrupted()) {
            reader.poll();
        }
    }
}
