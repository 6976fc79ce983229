package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;

/** What a record turned out to be. */
public sealed interface Decoded {
    /** Something that happened. */
    record Event(ClusterEvent event) implements Decoded {}

    /** Nothing that can be taken, and why. */
    record Refused(Refusal refusal) implements Decoded {}
}
