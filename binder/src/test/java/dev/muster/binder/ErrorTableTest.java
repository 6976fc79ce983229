package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTableTest {

    @ParameterizedTest
    @CsvSource({
        "400, REFUSED",
        "401, FATAL",
        "403, REFUSED",
        "404, GONE",
        "405, FATAL",
        "408, RETRY",
        "409, REREAD",
        "410, REREAD",
        "412, REREAD",
        "413, REFUSED",
        "415, FATAL",
        "418, REFUSED",
        "422, REFUSED",
        "429, RETRY",
        "500, RETRY",
        "502, RETRY",
        "503, RETRY",
        "504, RETRY"
    })
    void everyStatusHasOneMeaning(int code, ErrorTable.Verdict verdict) {
        assertThat(ErrorTable.verdict(new ApiException(code, "", "", 0))).isEqualTo(verdict);
    }

    @Test
    void aReplyThatNeverCameIsTriedAgain() {
        assertThat(ErrorTable.verdict(new ApiException(new IOException("reset"))))
                .isEqualTo(ErrorTable.Verdict.RETRY);
    }

    @Test
    void aFatalAnswerStopsWhoAsked() {
        assertThatThrownBy(() -> ErrorTable.verdictOrStop(new ApiException(401, "", "Unauthorized", 0)))
                .isInstanceOf(ClusterUnusableException.class)
                .hasMessageContaining("Unauthorized");
    }
}
