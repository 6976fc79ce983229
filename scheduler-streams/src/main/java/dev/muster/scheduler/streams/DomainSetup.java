package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What the tasks of all domains share.
 *
 * @param clock where domain time comes from; read by the shell only, the core sees it as the time of entries
 * @param nanoTime what durations are measured with, nanoseconds
 */
record DomainSetup(
        Topics topics,
        Domains domains,
        SchemaRegistry registry,
        MeterRegistry meters,
        InstantSource clock,
        LongSupplier nanoTime,
        Vitals vitals) {}
