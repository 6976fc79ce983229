package dev.muster.scheduler.streams;

import dev.muster.schemas.journal.JournalEntry;
import java.util.function.Consumer;

/** What the journal holds beyond a restored state. */
@FunctionalInterface
interface JournalTail {
    /** Where nothing but the state is kept, as on the test driver: the journal ends where the state does. */
    JournalTail NONE = (partition, from, taker) -> from;

    /**
     * Hands on the committed entries from {@code from} on, in their order. Waits for transactions that are open on the
     * journal: afterwards no entry of an earlier owner of the domain can appear any more.
     *
     * @param partition the domain's partition
     * @return the sequence that the next entry will have
     * @throws org.apache.kafka.common.errors.TimeoutException when a transaction stays open, or Kafka does not answer
     */
    long read(int partition, long from, Consumer<JournalEntry> taker);
}
