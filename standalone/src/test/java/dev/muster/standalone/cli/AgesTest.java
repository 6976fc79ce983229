package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    /** The table of k8s.io/apimachinery/pkg/util/duration. */
    @ParameterizedTest
    @CsvSource({
        "1, 1s",
        "70, 70s",
        "190, 3m10s",
        "2820, 47m",
        "10800, 3h",
        "18720, 5h12m",
        "25200, 7h",
        "54000, 15h",
        "172800, 2d",
        "180000, 2d2h",
        "604800, 7d",
        "8640000, 100d",
        "86400000, 2y270d",
        "315360000, 10y",
        "0, 0s",
        "-1, 0s",
        "-2, <invalid>"
    })
    void agesReadAsKubectlPrintsThem(long seconds, String text) {
        assertThat(Ages.of(Duration.ofSeconds(seconds))).isEqualTo(text);
    }
}
