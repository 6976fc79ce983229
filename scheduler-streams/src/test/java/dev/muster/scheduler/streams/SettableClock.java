package dev.muster.scheduler.streams;

import java.time.Instant;
import java.time.InstantSource;

/** A wall clock and a monotonic one that stand still until they are set. */
final class SettableClock implements InstantSource {
    private long millis = 1_000_000;
    private long wallAheadMillis;

    /** Lets time pass until then. */
    void set(long newMillis) {
        millis = newMillis;
    }

    /** Sets the wall clock forward or back, without time passing. */
    void stepWall(long aheadMillis) {
        wallAheadMillis += aheadMillis;
    }

    long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis + wallAheadMillis);
    }
}
