package dev.muster.scheduler.streams;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. */
final class SettableClock implements InstantSource {
    private long millis = 1_000_000;

    void set(long newMillis) {
        millis = newMillis;
    }

    long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }
}
