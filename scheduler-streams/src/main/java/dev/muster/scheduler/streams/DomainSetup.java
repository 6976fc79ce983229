package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the tasks of all domains share.
 *
 * @param clock the wall clock, from which domain time sets out; read by the shell only, the core sees it as the time of
 *     entries
 * @param nanoTime the monotonic clock, nanoseconds: what domain time runs by and durations are measured with
 * @param journal what the journal holds beyond a restored state
 * @param topicIds ids of the topics as the brokers have them now, by name
 * @param mayTick asked before each tick that is wanted; always true but in tests that say when rounds are held
 */
record DomainSetup(
        Topics topics,
        Domains domains,
        SchemaRegistry registry,
        MeterRegistry meters,
        InstantSource clock,
        LongSupplier nanoTime,
        Vitals vitals,
        JournalTail journal,
        Supplier<Map<String, String>> topicIds,
        BooleanSupplier mayTick) {
    /** Without brokers: the state is all there is. */
    DomainSetup(
            Topics topics,
            Domains domains,
            SchemaRegistry registry,
            MeterRegistry meters,
            InstantSource clock,
            LongSupplier nanoTime,
            Vitals vitals) {
        this(topics, domains, registry, meters, clock, nanoTime, vitals, JournalTail.NONE, Map::of, () -> true);
    }
}
