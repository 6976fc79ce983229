package dev.muster.scheduler.streams;

import java.util.function.LongSupplier;

/**
 * When a commit is asked for: as soon as there is something that others wait for, but never so often that commits take more
 * than half of the time, and a quarter while input never pauses. A commit waits for the brokers while entries wait for it,
 * so that asking for one after each decision would be slowest when there is most to decide.
 *
 * <p>Decides nothing: where transactions end leaves no trace in journal or decisions.
 */
final class CommitPacer {
    private final LongSupplier nanoTime;
    /** How often the time that a commit took must pass before the next while input keeps coming. */
    private static final int UNDER_LOAD = 3;

    private boolean news;
    private boolean paused;
    private boolean asked;
    private long askedNanos;
    private long endedNanos;
    private long tookNanos;

    CommitPacer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.endedNanos = nanoTime.getAsLong();
    }

    /** Something was written that binders, tenants or users wait for. */
    void news() {
        news = true;
    }

    /** The input paused: there is time for a commit. */
    void paused() {
        paused = true;
    }

    /** The thread is back: a commit that was asked for is done. */
    void back() {
        if (asked) {
            asked = false;
            endedNanos = nanoTime.getAsLong();
            tookNanos = endedNanos - askedNanos;
        }
    }

    /** Whether to ask for a commit now; the answer yes counts as having asked. */
    boolean due() {
        long now = nanoTime.getAsLong();
        if (!news || now - endedNanos < (paused ? tookNanos : UNDER_LOAD * tookNanos)) {
            return false;
        }
        news = false;
        paused = false;
        asked = true;
        askedNanos = now;
        return true;
    }
}
