package dev.muster.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {

    private static Properties properties(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(Map.of(
                "bootstrap.servers", "localhost:9092",
                "schema.registry.url", "http://localhost:8081",
                "domains", "a, b",
                "domain", "b",
                "cluster", "c1"));
        all.putAll(more);
        Properties properties = new Properties();
        properties.putAll(all);
        return properties;
    }

    @Test
    void aFileSaysWhereEverythingIs() {
        IngestSettings settings = IngestSettings.parse(
                properties(Map.of("kafka.security.protocol", "SSL", "scheduler.names", "muster", "kubeconfig", "k")));
        assertThat(settings.kafka())
                .containsEntry("bootstrap.servers", "localhost:9092")
                .containsEntry("security.protocol", "SSL");
        assertThat(settings.domains().partitionOf("b")).isEqualTo(1);
        assertThat(settings.topics().nodes()).isEqualTo("muster.nodes");
        assertThat(settings.config().schedulerNames()).containsExactly("muster");
        assertThat(settings.kubeconfig()).hasValue("k");
    }

    @Test
    void unknownAndMissingSettingsAreNamedTogether() {
        assertThatThrownBy(() -> IngestSettings.parse(properties(Map.of("cluster", "", "scheduler.name", "x"))))
                .hasMessageContainingAll("scheduler.name is not a setting", "cluster is missing");
    }

    @Test
    void aDomainThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> IngestSettings.parse(properties(Map.of("domain", "z"))))
                .hasMessageContaining("domain z");
    }
}
