package dev.muster.binder;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much of a binder waits for volumes. Making one may take minutes: decisions that wait for that must keep neither others
 * from being carried out nor the API server busy.
 */
final class ClaimWaits {

    /** So far apart are two reads of claims, whoever reads them: at most a hundred a second. */
    private static final long APART_MILLIS = 10;

    private final AtomicInteger decisions = new AtomicInteger();
    private final AtomicInteger claims = new AtomicInteger();

    void begin(int waitingClaims) {
        decisions.incrementAndGet();
        claims.addAndGet(waitingClaims);
    }

    void end(int waitingClaims) {
        decisions.decrementAndGet();
        claims.addAndGet(-waitingClaims);
    }

    /** Decisions under way that wait for claims to be bound. */
    int decisions() {
        return decisions.get();
    }

    /** How long to wait at least before a claim is read again. */
    long pauseMillis() {
        return claims.get() * APART_MILLIS;
    }
}
