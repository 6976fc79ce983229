package dev.muster.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.ingest.map.HealthMapping;
import dev.muster.ingest.map.HealthMapping.Signal;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.service.Values;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthSettingsTest {
    private static Values values(Map<String, String> settings) {
        return Values.of(HealthSettings.keys(), Path.of("ingest.properties"), settings, Map.of());
    }

    @Test
    void withoutSettingsTheDefaultsHold() {
        assertThat(HealthSettings.read(values(Map.of()))).isEqualTo(HealthMapping.defaults());
    }

    @Test
    void everySourceCanBeNamed() {
        HealthMapping mapping = HealthSettings.read(values(Map.of(
                "health.ecc.label", "a.b/ecc",
                "health.ecc.threshold", "0",
                "health.xid.taint", "a.b/xid",
                "health.xid.fatal", "79",
                "health.xid.recoverable", "63, 64",
                "health.xid.informational", "31",
                "health.annotation", "a.b/health",
                "health.conditions", "Sick=NPD:fatal,!Well=THERMAL:degraded",
                "health.labels", "a.b/link-down=NVLINK:recoverable")));
        assertThat(mapping.eccThreshold()).isZero();
        assertThat(mapping.recoverableXids()).containsExactlyInAnyOrder(63, 64);
        assertThat(mapping.annotation()).isEqualTo("a.b/health");
        assertThat(mapping.conditions())
                .containsOnly(
                        Map.entry("Sick", Signal.whenTrue("NPD", HealthSeverity.FATAL)),
                        Map.entry("Well", Signal.whenFalse("THERMAL", HealthSeverity.DEGRADED)));
        assertThat(mapping.labels())
                .containsOnly(Map.entry("a.b/link-down", Signal.whenTrue("NVLINK", HealthSeverity.RECOVERABLE)));
    }

    @ParameterizedTest
    @CsvSource({
        "health.ecc.threshold, -1",
        "health.xid.fatal, many",
        "health.conditions, Sick",
        "health.conditions, Sick=NPD:dire",
        "health.conditions, Sick=NPD:unknown",
        "health.labels, Sick=FAN:fatal"
    })
    void whatCannotBeReadIsNamed(String name, String text) {
        Values values = values(Map.of(name, text));
        assertThat(HealthSettings.read(values)).isNull();
        assertThat(values.hasProblems()).isTrue();
    }
}
