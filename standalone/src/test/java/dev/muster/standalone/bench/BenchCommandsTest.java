package dev.muster.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** That the benchmarks run, place every gang whole, and say so in their documented form; never how fast. */
class BenchCommandsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path dataDir;

    @ParameterizedTest
    @EnumSource(StreamOptions.Source.class)
    void streamPlacesEveryGangAndEndsWithOneLineOfJson(StreamOptions.Source source) throws Exception {
        int code = run("bench", "stream", "--source", source.name(), "--nodes", "20", "--gangs-per-second", "20")
                .with("--warm-up", "300ms", "--duration", "500ms", "--burst", "5", "--load", "50")
                .with("--data-dir", dataDir.toString(), "-o", "json")
                .execute();

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        JsonNode json = lastLine();
        assertThat(json.path("source").textValue()).isEqualTo(source.name());
        assertThat(json.path("podsPerSecond").isNumber()).isTrue();
        assertThat(json.path("latencyAtHalf").path("p50Millis").doubleValue()).isPositive();
        assertThat(json.path("latencyAtHalf").path("p99Millis").doubleValue())
                .isGreaterThanOrEqualTo(
                        json.path("latencyAtHalf").path("p50Millis").doubleValue());
        assertThat(json.path("violations").intValue()).isZero();
        assertThat(json.path("phases")).hasSize(3);
        assertThat(json.path("phases").get(2).path("decidedGangs").intValue()).isEqualTo(5);
        assertThat(json.path("machine").path("cores").intValue()).isPositive();
    }

    @Test
    void restoreReplaysAJournalBothWaysAndComesBackAfterAKill() throws Exception {
        int code = run("bench", "restore", "--entries", "2000", "--nodes", "40", "--pods", "80")
                .with("--data-dir", dataDir.toString(), "-o", "json")
                .execute();

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        JsonNode json = lastLine();
        assertThat(json.path("replay").path("entries").intValue()).isEqualTo(2_000);
        assertThat(json.path("replay").path("decisions").intValue()).isPositive();
        assertThat(json.path("replayEntriesPerSecond").doubleValue()).isPositive();
        assertThat(json.path("kafkaReplayEntriesPerSecond").doubleValue()).isPositive();
        assertThat(json.path("restart").path("pods").intValue()).isEqualTo(80);
        assertThat(json.path("restart").path("cpuSeconds").isNumber()).isTrue();
        assertThat(json.path("restart")
                        .path("stepsMillis")
                        .path("state is restored")
                        .doubleValue())
                .isBetween(0.0, json.path("restartToFirstDecisionMillis").doubleValue());
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes, 0, expected 1 to 50000",
        "--gangs-per-second, 1, expected 2 to 20000",
        "--load, 101, expected 1 to 100",
        "--duration, 0ms, expected 100 to 3600000 milliseconds"
    })
    void whatCannotBePlayedIsRefusedInOneLine(String option, String value, String expected) {
        assertThat(run("bench", "stream", option, value).execute()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(option)
                .contains(expected)
                .hasLineCount(1);
    }

    @Test
    void aClusterTooSmallForWhatIsSubmittedIsRefusedInOneLine() {
        assertThat(run("bench", "restore", "--nodes", "20", "--pods", "80").execute())
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--nodes 20: too few for 80 pods")
                .hasLineCount(1);
    }

    @Test
    void aBenchmarkWithoutANameIsRefused() {
        assertThat(run("bench").execute()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("a command is missing")
                .hasLineCount(1);
    }

    private JsonNode lastLine() throws Exception {
        String last =
                out.toString(StandardCharsets.UTF_8).lines().reduce((a, b) -> b).orElse("");
        return new ObjectMapper().readTree(last);
    }

    private Call run(String... args) {
        return new Call().with(args);
    }

    private final class Call {
        private final List<String> args = new ArrayList<>();

        Call with(String... more) {
            args.addAll(List.of(more));
            return this;
        }

        int execute() {
            Environment environment = new Environment(
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    Map.of(),
                    false,
                    false,
                    100);
            return Muster.execute(environment, args.toArray(String[]::new));
        }
    }
}
