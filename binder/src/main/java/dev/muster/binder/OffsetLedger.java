package dev.muster.binder;

import java.util.TreeSet;

/** Which offsets are done. Only what lies before the lowest unfinished one may be committed. */
final class OffsetLedger {

    private final TreeSet<Long> unfinished = new TreeSet<>();
    private long next = -1;

    /** An offset was taken up; offsets come in rising order. */
    synchronized void begin(long offset) {
        unfinished.add(offset);
        next = offset + 1;
    }

    synchronized void finish(long offset) {
        unfinished.remove(offset);
    }

    /** Where a successor has to begin; -1 while nothing was taken up. */
    synchronized long committable() {
        return unfinished.isEmpty() ? next : unfinished.first();
    }

    synchronized int inFlight() {
        return unfinished.size();
    }
}
