package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.round.Effects;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Meters of one domain. */
final class SchedulerMetrics {
    private static final String PREFIX = "muster.scheduler.";

    private final MeterRegistry meters;
    private final String domain;
    private final Counter applied;
    private final Counter ignored;
    private final Counter decisions;
    private final Counter statuses;
    private final Counter evictions;
    private final Timer round;
    private final Timer lag;

    SchedulerMetrics(MeterRegistry meters, String domain) {
        this.meters = meters;
        this.domain = domain;
        applied = counter("entries.applied", "Entries that changed something and were journaled");
        ignored = counter("entries.ignored", "Stale or repeated events");
        decisions = counter("decisions", "Decisions made");
        evictions = counter("evictions", "Pods that were to be evicted for others");
        statuses = counter("statuses", "Workloads whose status changed");
        round = timer("round", "Time that a tick's round took");
        lag = timer("journal.lag", "From the time of an input record to the time of its journal entry");
    }

    void applied(Effects effects) {
        applied.increment();
        decisions.increment(effects.decisions().size());
        statuses.increment(effects.statuses().size());
        effects.decisions().forEach(this::evicted);
        effects.statuses().forEach(status -> status.reason().details().forEach(this::guarded));
    }

    private void evicted(Decision decision) {
        if (decision.action() instanceof Action.Evict evict) {
            evictions.increment(evict.victims().size());
        }
    }

    /** Evidence that is about no nodes is a guard of preemption. */
    private void guarded(Reason.Detail detail) {
        if (detail.nodes() == 0) {
            Counter.builder(PREFIX + "evictions.guarded")
                    .description("Times that a reason said by which guard nobody was evicted")
                    .tag("domain", domain)
                    .tag("guard", detail.rule())
                    .register(meters)
                    .increment();
        }
    }

    void ignored() {
        ignored.increment();
    }

    void refused(String reason) {
        Counter.builder(PREFIX + "refusals")
                .description("Records that were not taken")
                .tag("domain", domain)
                .tag("reason", reason)
                .register(meters)
                .increment();
    }

    void round(long nanos) {
        round.record(Duration.ofNanos(nanos));
    }

    void lag(long millis) {
        lag.record(Duration.ofMillis(Math.max(0, millis)));
    }

    private Counter counter(String name, String description) {
        return Counter.builder(PREFIX + name)
                .description(description)
                .tag("domain", domain)
                .register(meters);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(PREFIX + name)
                .description(description)
                .tag("domain", domain)
                .publishPercentiles(0.5, 0.99)
                .register(meters);
    }
}
