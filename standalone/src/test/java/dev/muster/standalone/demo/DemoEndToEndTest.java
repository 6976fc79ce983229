package dev.muster.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One small demo through broker, ingest, scheduler, binder and API server, and what the other commands then say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DemoEndToEndTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Path dataDir;
    private JsonNode summary;
    private Result demo;

    private record Result(int exitCode, String out, String err) {}

    @BeforeAll
    void playADemo(@TempDir Path directory) throws IOException {
        dataDir = directory.resolve("data");
        demo = run("demo", "--nodes", "4", "--until-done", "--data-dir", dataDir.toString(), "-o", "json");
        summary = JSON.readTree(demo.out());
    }

    @Test
    void everythingThatFitsRanAndTheRestIsExplained() {
        assertThat(demo.exitCode()).as(demo.err()).isZero();
        assertThat(summary.at("/ending").asText()).isEqualTo("done");
        assertThat(summary.at("/pods/finished").asInt())
                .isPositive()
                .isEqualTo(summary.at("/pods/bound").asInt());
        assertThat(summary.at("/gangs/placedWhole").asInt())
                .isEqualTo(summary.at("/gangs/total").asInt() - 1);
        assertThat(summary.at("/waiting")).hasSize(1);
        assertThat(summary.at("/waiting/0/name").asText()).isEqualTo(GpuWorkload.NEVER_FITS);
        assertThat(summary.at("/violations/count").asInt()).isZero();
        assertThat(summary.at("/gangs/partlyBound").asInt()).isZero();
        assertThat(summary.at("/latencyMillis/podToBound/count").asInt()).isPositive();
    }

    @Test
    void progressIsPlainLinesInAPipe() {
        assertThat(demo.err()).contains("up after").contains("decisions").doesNotContain("\u001b");
    }

    @Test
    void otherCommandsReadTheDataDirectory() throws IOException {
        Result jobs = run("jobs", "--data-dir", dataDir.toString(), "--state", "waiting", "-o", "json");
        assertThat(jobs.exitCode()).as(jobs.err()).isZero();
        assertThat(JSON.readTree(jobs.out()).at("/items/0/name").asText()).isEqualTo(GpuWorkload.NEVER_FITS);

        Result nodes = run("nodes", "--data-dir", dataDir.toString(), "--no-headers");
        assertThat(nodes.out()).hasLineCount(4).contains("gpu-0000");

        Result explain = run("explain", "research/" + GpuWorkload.NEVER_FITS, "--data-dir", dataDir.toString());
        assertThat(explain.exitCode()).as(explain.err()).isZero();
        assertThat(explain.out().lines().findFirst().orElseThrow())
                .contains("has been waiting for")
                .contains("16");

        Result nobody = run("explain", "nobody", "--data-dir", dataDir.toString());
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err())
                .startsWith("muster: no workload is named nobody")
                .hasLineCount(1);
    }

    @Test
    void aDirectoryWithTopicsIsNotPlayedOver() {
        Result again = run("demo", "--until-done", "--data-dir", dataDir.toString());
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).hasLineCount(1).contains("holds the topics of an earlier run");
    }

    private static Result run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Muster.execute(
                new Environment(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of(),
                        false,
                        false,
                        100),
                args);
        return new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
