package dev.muster.scheduler.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpreadScoreTest {
    @ParameterizedTest
    @CsvSource({
        "2, 693",
        "3, 1099",
        "4, 1386",
        "5, 1609",
        "10, 2303",
        "66, 4190",
        "1002, 6910",
        "5002, 8518",
        "50002, 10820"
    })
    void logarithmsAreExactToTheThousandth(int of, long milli) {
        assertThat(SpreadScore.lnMilli(of)).isEqualTo(milli);
    }
}
