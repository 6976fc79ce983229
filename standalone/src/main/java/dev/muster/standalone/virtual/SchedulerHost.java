package dev.muster.standalone.virtual;

import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import java.time.InstantSource;

/**
 * The scheduler of one domain, as the virtual stack sees it: records in, records out, and time that is told. What decides
 * is always the production core; hosts differ in what is between it and the records.
 */
public interface SchedulerHost extends AutoCloseable {

    /** Takes what the scheduler publishes, in order. */
    @FunctionalInterface
    interface Output {
        /** A record of journal, decisions, workload-status or dead-letters; a null value is a tombstone. */
        void published(String topic, String key, byte[] value);
    }

    /**
     * What a host works with.
     *
     * @param clock tells the moment that an event is taken at, and a tick is written at
     */
    record Setup(String domain, Topics topics, SchemaRegistry registry, InstantSource clock, Output output) {}

    /** Makes a host that has seen nothing. */
    @FunctionalInterface
    interface Factory {
        /** A host, ready for its first event. */
        SchedulerHost open(Setup setup);
    }

    /** Takes one record of an input topic; a null value is a tombstone. */
    void event(String topic, String key, byte[] value);

    /** Lets it do everything that is due by now: ticks, until it wants no more. */
    void settle();

    /** When it wants to be settled again though nothing comes, epoch milliseconds; {@link Long#MAX_VALUE} for never. */
    long nextDeadlineMillis();

    /** Stops it and starts it again on what it had committed. */
    void restart();

    @Override
    void close();
}
