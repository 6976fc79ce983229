package dev.muster.ingest.watch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Full jitter: each wait is drawn evenly from the shortest to a ceiling that doubles up to the longest, so that clients
 * that lost a server together do not come back together. Not thread-safe.
 */
public final class Backoff {

    private final long shortestMillis;
    private final long longestMillis;
    private final RandomGenerator random;
    private long ceilingMillis;

    /** Waits between {@code shortest} and {@code longest}. */
    public Backoff(Duration shortest, Duration longest, RandomGenerator random) {
        this.shortestMillis = shortest.toMillis();
        this.longestMillis = longest.toMillis();
        this.random = random;
        reset();
    }

    /** The next wait. */
    public Duration next() {
        long millis = random.nextLong(shortestMillis, ceilingMillis + 1);
        ceilingMillis = Math.min(longestMillis, ceilingMillis * 2);
        return Duration.ofMillis(millis);
    }

    /** A number from 0 to {@code most}, drawn like the waits. */
    long upTo(long most) {
        return random.nextLong(most + 1);
    }

    /** What failed works again. */
    public void reset() {
        ceilingMillis = Math.min(longestMillis, 2 * shortestMillis);
    }
}
