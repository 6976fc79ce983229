package dev.muster.scheduler.streams;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. */
final class SettableClock implements InstantSource {
    private long millis = 1_000_000;

    void set(long newMillis) {
        millis = newMillis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }
}
