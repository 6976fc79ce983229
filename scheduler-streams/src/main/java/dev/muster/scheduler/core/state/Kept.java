package dev.muster.scheduler.core.state;

import java.util.List;

/** What makes a hold one that keeps room: who leaves for it. */
final class Kept {
    /** Uids of pods that are evicted for it; none where it waits for pods that were leaving anyway. */
    final List<String> victims;
    /** Their eviction was decided, and its outcome is not known yet. */
    boolean asked;
    /** Its room has been given back on trial; never from one entry to the next. */
    boolean lifted;

    Kept(List<String> victims, boolean asked) {
        this.victims = List.copyOf(victims);
        this.asked = asked;
    }
}
