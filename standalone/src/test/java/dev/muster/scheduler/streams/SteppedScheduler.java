package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.SchemaRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** The production scheduler on a clock that somebody else drives, with rounds only when they may be. */
public final class SteppedScheduler {

    private SteppedScheduler() {}

    public static SchedulerApp of(
            SchedulerConfig config, SchemaRegistry registry, InstantSource clock, BooleanSupplier mayTick) {
        return new SchedulerApp(
                config, registry, new SimpleMeterRegistry(), clock, () -> clock.millis() * 1_000_000, mayTick);
    }
}
