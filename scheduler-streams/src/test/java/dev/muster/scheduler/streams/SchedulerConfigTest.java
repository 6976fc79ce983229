package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulerConfigTest {
    @Test
    void allThatIsWrongIsSaidAtOnce() {
        assertThatThrownBy(() -> new SchedulerConfig(
                        Map.of(), Topics.DEFAULT, Domains.of("a"), "an app", "", Path.of("s"), 0, 0, 1_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "bootstrap.servers is missing",
                        "applicationId is 'an app'",
                        "instanceId is ''",
                        "threads is 0, expected 1 to 64",
                        "commitIntervalMillis is 0, expected 1 to 1000",
                        "transactionTimeoutMillis is 1000, expected 3000 to 60000");
    }
}
