package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.schemas.journal.EngineStarted;
import dev.muster.schemas.journal.Tick;
import org.apache.avro.specific.SpecificRecord;

/** Journal entries of one domain, as records of topic journal. */
public final class JournalCodec {
    private final String domain;
    private final EventCodec events;

    /** A codec for one domain's journal. */
    public JournalCodec(String domain) {
        this.domain = domain;
        this.events = new EventCodec(domain);
    }

    /**
     * The entry as it goes out.
     *
     * @param topic where the event came from; empty for ticks and engine entries
     * @param offset its offset there; -1 for ticks and engine entries
     */
    public dev.muster.schemas.journal.JournalEntry write(JournalEntry from, String topic, long offset) {
        return new dev.muster.schemas.journal.JournalEntry(
                domain, from.sequence(), from.timeMillis(), topic, offset, events.write(from.event()));
    }

    /**
     * The entry that a record states.
     *
     * @throws IllegalArgumentException when it is none of this domain's: the journal was not written by a scheduler of it
     */
    public JournalEntry read(dev.muster.schemas.journal.JournalEntry from) {
        if (!from.getDomain().equals(domain)) {
            throw new IllegalArgumentException("domain is " + from.getDomain() + ", expected " + domain);
        }
        ClusterEvent event = switch (from.getEvent()) {
            case Tick tick -> new ClusterEvent.Tick(tick.getCause());
            case EngineStarted started -> new ClusterEvent.EngineStarted(started.getEngineVersion());
            case SpecificRecord other -> readEvent(other);
            default -> throw new IllegalArgumentException("event is " + from.getEvent());
        };
        return new JournalEntry(from.getSequence(), from.getTimeMillis(), event);
    }

    private ClusterEvent readEvent(SpecificRecord from) {
        return switch (events.read(from)) {
            case Decoded.Event event -> event.event();
            case Decoded.Refused refused ->
                throw new IllegalArgumentException("event." + refused.refusal().line());
        };
    }
}
