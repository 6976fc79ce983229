package dev.muster.service;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The meters of a process: the service's own and the JVM's. */
final class Meters {
    /** Labels come from enums and the operator's names, so this is never reached; if it were, memory would stay bounded. */
    private static final int MOST_METERS = 5_000;

    private Meters() {}

    /** @param service told in the label {@code service} of every series */
    static PrometheusMeterRegistry create(String service) {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters.config().commonTags("service", service).meterFilter(MeterFilter.maximumAllowableMetrics(MOST_METERS));
        new ClassLoaderMetrics().bindTo(meters);
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new FileDescriptorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
        return meters;
    }
}
