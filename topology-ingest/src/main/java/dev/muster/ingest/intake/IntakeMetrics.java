package dev.muster.ingest.intake;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counters of the intake. Label values come from enums and from the operator's list of tenants, never from a record.
 */
final class IntakeMetrics {

    private final MeterRegistry registry;

    IntakeMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void answered(String tenant, Verdict.Kind kind) {
        registry.counter("muster.intake.commands", "tenant", tenant, "answer", kind.name())
                .increment();
    }

    /** {@code reason} is one of our own codes. */
    void deadLetter(String tenant, String reason) {
        registry.counter("muster.intake.dead.letters", "tenant", tenant, "reason", reason)
                .increment();
    }

    void news(String tenant) {
        registry.counter("muster.intake.news", "tenant", tenant).increment();
    }

    void tenantBackedOff(String tenant) {
        registry.counter("muster.intake.backoffs", "tenant", tenant).increment();
    }

    void sessionFailed() {
        registry.counter("muster.intake.session.failures").increment();
    }
}
