package dev.muster.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.ingest.map.HealthMapping;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IngestConfigTest {

    @Test
    void theDefaultsAreThePromisedTimes() {
        IngestConfig config = IngestConfig.of("default", "c1");
        assertThat(config.silence()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.audit()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.schedulerNames()).containsExactlyInAnyOrder("muster", "volcano");
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnce() {
        assertThatThrownBy(() -> new IngestConfig(
                        "Not a label",
                        "c1",
                        "no label",
                        Set.of(),
                        "kube-system",
                        Duration.ofSeconds(1),
                        -1,
                        HealthMapping.defaults(),
                        Duration.ZERO,
                        Duration.ofMinutes(10),
                        Duration.ofMinutes(3),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(1),
                        0,
                        10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "domain",
                        "instance",
                        "schedulerNames",
                        "leaseDuration",
                        "minimumEpoch",
                        "silence",
                        "retryLongest",
                        "pageSize")
                .hasMessageNotContainingAny("cluster is", "audit is", "queueCapacity");
    }
}
