package dev.muster.standalone.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Time of a simulated cluster, and the turns of what works in it. Work runs one piece after the other: what is due
 * earlier first, and what is due at the same moment in the order in which it was asked for.
 */
public interface Timeline extends InstantSource, AutoCloseable {

    /** Work that is to run later. */
    interface Scheduled {
        /** Takes it back, unless it runs or has run already. */
        void cancel();
    }

    /** Cluster time, epoch milliseconds. */
    long nowMillis();

    /**
     * Milliseconds since some fixed moment, in the measure of {@link #after}: what deadlines are counted in. It runs ahead
     * of {@link #nowMillis} where cluster time is faster than the clock that dates what happens.
     */
    long elapsedMillis();

    @Override
    default Instant instant() {
        return Instant.ofEpochMilli(nowMillis());
    }

    @Override
    default long millis() {
        return nowMillis();
    }

    /** Runs work after that much of cluster time; not at all when closed before. */
    Scheduled after(Duration delay, Runnable work);

    /** Runs work as soon as what was asked for before has run; not at all when closed before. */
    void execute(Runnable work);

    /** Ends it: nothing more runs. */
    @Override
    void close();
}
