package dev.muster.scheduler.core.state;

import java.util.List;

/** What makes a hold one that keeps room: who leaves for it, or which gang's slots it holds. */
final class Kept {
    /** Uids of pods that are evicted for it; none where it waits for pods that were leaving anyway. */
    final List<String> victims;
    /** Of the slots of a gang that lost members: since when it lacks them, domain time; 0 for what is kept for other reasons. */
    final long brokenMillis;
    /** Their eviction was decided, and its outcome is not known yet. */
    boolean asked;
    /** Its room has been given back on trial; never from one entry to the next. */
    boolean lifted;

    Kept(List<String> victims, boolean asked, long brokenMillis) {
        this.victims = List.copyOf(victims);
        this.asked = asked;
        this.brokenMillis = brokenMillis;
    }

    /** Whether it holds the slots of a broken gang. */
    boolean slots() {
        return brokenMillis > 0;
    }
}
