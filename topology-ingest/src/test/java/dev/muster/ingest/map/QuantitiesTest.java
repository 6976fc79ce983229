package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.RoundingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "cpu, 1, 1000",
        "cpu, 100m, 100",
        "cpu, 1.5, 1500",
        "cpu, 0.0001, 1",
        "cpu, 1500u, 2",
        "memory, 1Ki, 1024",
        "memory, 1.5Gi, 1610612736",
        "memory, 1G, 1000000000",
        "memory, 128974848000m, 128974848",
        "memory, 1500m, 2",
        "memory, 1e3, 1000",
        "memory, 12E2, 1200",
        "memory, 1Ei, 1152921504606846976",
        "memory, .5Mi, 524288",
        "nvidia.com/gpu, +8, 8",
        "nvidia.com/gpu, 0, 0"
    })
    void aQuantityIsReadInItsUnitAndRoundedUp(String resource, String text, long amount) {
        assertThat(Quantities.parse(resource, text, RoundingMode.CEILING)).hasValue(amount);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+-1",
                "1 Gi",
                "1gi",
                "1K",
                "Gi",
                ".",
                "1.2.3",
                "0x10",
                "NaN",
                "1e999999999",
                "1e",
                "2Ei",
                "99999999999999999999",
                "9e30",
                "１",
                "1\u0000"
            })
    void whatIsNoQuantityOrTooLargeIsNoAmount(String text) {
        assertThat(Quantities.parse("memory", text, RoundingMode.CEILING)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"cpu, 1500u, 1", "memory, 1500m, 1"})
    void whatANodeOffersIsRoundedDown(String resource, String text, long amount) {
        assertThat(Quantities.parse(resource, text, RoundingMode.FLOOR)).hasValue(amount);
    }
}
