package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "90s, PT1M30S", "2m, PT2M", "1h2m3s, PT1H2M3S", "1m500ms, PT1M0.5S", "0s, PT0S"})
    void readsWhatKubernetesWrites(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
        assertThat(Durations.parse(Durations.format(expected))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "1 s", "-1s", "1d", "1s1m", "99999999999s"})
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
