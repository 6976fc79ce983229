package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BinderConfigTest {

    @Test
    void theDefaultsAreValid() {
        assertThat(BinderConfig.defaults().concurrency()).isEqualTo(32);
        assertThat(BinderConfig.defaults().withConcurrency(8).concurrency()).isEqualTo(8);
        assertThat(BinderConfig.defaults().withMaxInFlight(9).maxInFlight()).isEqualTo(9);
    }

    @Test
    void everyErrorIsReportedAtOnce() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new BinderConfig(0, 0, 99, 1, Duration.ZERO, second, null, second, second, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "concurrency must be 1..1024, is 0",
                        "maxInFlight",
                        "statusConcurrency must be 1..64, is 99",
                        "requestTimeout",
                        "evictionPatience",
                        "leaseNamespace");
    }

    @Test
    void theLongestPauseIsNotShorterThanTheFirst() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() ->
                        new BinderConfig(1, 1, 1, 1, second, second, second, second, Duration.ofMillis(1), "leases"))
                .hasMessageContaining("maxBackoff");
    }
}
