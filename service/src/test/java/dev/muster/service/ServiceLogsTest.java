package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ServiceLogsTest {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        System.setErr(before);
        ServiceLogs.configure(new CommonConfig.Logs("plain", "WARN"));
    }

    @Test
    void aJsonLogIsOneObjectALineWhateverTheMessage() throws Exception {
        log("json");
        List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(2);
        JsonNode first = new ObjectMapper().readTree(lines.get(0));
        assertThat(first.path("level").asText()).isEqualTo("INFO");
        assertThat(first.path("loggerName").asText()).isEqualTo("dev.muster.probe");
        assertThat(first.path("formattedMessage").asText()).isEqualTo("two\nlines and \"quotes\"");
        assertThat(first.path("timestamp").isIntegralNumber()).isTrue();
        JsonNode second = new ObjectMapper().readTree(lines.get(1));
        assertThat(second.path("throwable").path("message").asText()).isEqualTo("broken");
    }

    @Test
    void aPlainLogBeginsWithTimeAndLevel() {
        log("plain");
        assertThat(err.toString(StandardCharsets.UTF_8).lines().findFirst().orElse(""))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  \\[.*] probe: two");
    }

    private void log(String format) {
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        ServiceLogs.configure(new CommonConfig.Logs(format, "INFO"));
        var log = LoggerFactory.getLogger("dev.muster.probe");
        log.info("{}\nlines and \"quotes\"", "two");
        log.debug("not wanted");
        log.error("it broke", new IllegalStateException("broken"));
        LoggerFactory.getLogger("org.example").info("of a library: not wanted");
    }
}
