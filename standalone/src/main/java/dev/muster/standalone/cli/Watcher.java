package dev.muster.standalone.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
    private final Map<String, T> printed = new HashMap<>();
    private boolean following;

    Watcher(Listing<T> listing, Environment environment, OutputOptions options, Predicate<T> wanted) {
        this.listing = listing;
        this.environment = environment;
        this.wanted = wanted;
        this.rows = new OutputOptions();
        rows.format = options.format;
        rows.noHeaders = true;
    }

    /** A thing is as given now; empty when it is forgotten. Printed once {@link #follow} was called, unless it was printed so. */
    void changed(Supplier<Optional<T>> thing) {
        if (!following) {
            return;
        }
        thing.get().filter(wanted).ifPresent(now -> {
            if (!now.equals(printed.put(listing.nameOf(now), now))) {
                listing.print(environment, rows, List.of(now));
                environment.out().flush();
            }
        });
    }

    /** Reads on until Ctrl-C. */
    void follow(TopicSession session) throws InterruptedException {
        following = true;
        session.follow(session::sayWhatIsLeftOut, () -> {});
    }
}
