package dev.muster.standalone.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
    private static final String OBJECTS = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: '8', memory: 8Gi, pods: '10', nvidia.com/gpu: '2'}}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: work, namespace: ml}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: a, namespace: ml, annotations: {muster.dev/at: 10s, muster.dev/runtime: 1m}}
            spec:
              schedulerName: muster
              containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: '2'}}}]
            """;

    private static final String SCENARIO = """
            apiVersion: muster.dev/v1alpha1
            kind: Scenario
            metadata: {name: small}
            spec:
              until: 30s
              expect:
              - {pods: ml/a, bound: %s}
              - {at: 5s, pods: "ml/typo-*", bound: 0}
            ---
            """;

    @TempDir
    Path folder;

    private record Ran(int exitCode, String out, String err) {}

    private static Ran run(String stdin, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Environment environment = new Environment(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Map.of(), false, false, 100);
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(stdin.getBytes(UTF_8)));
            int exitCode = Muster.execute(environment, args);
            return new Ran(exitCode, out.toString(UTF_8), err.toString(UTF_8));
        } finally {
            System.setIn(before);
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void whatHappensIsToldAsATimelineUntilNothingMoreDoes() throws IOException {
        Ran ran = run("", "simulate", file("f.yaml", OBJECTS));

        assertThat(ran.err()).isEmpty();
        assertThat(ran.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(ran.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "0s n1 added with 8 cpu, 2 nvidia.com/gpu",
                        "10s kubectl applied Pod ml/a",
                        "10s ml/a 1 pod placed: a on n1",
                        "1m10s ml/a 1 pod succeeded: a",
                        "ml/a Pod Completed 0/1 - 0",
                        "not used yet: 1 Workload (Workloads that others make): ml/work");
        assertThat(ran.out()).contains("ended at 1m10s; replay of ");
    }

    @Test
    void expectationsThatHoldAreOneLineEachAndExitCodeZero() throws IOException {
        String file = file("f.yaml", SCENARIO.formatted(1) + OBJECTS);

        Ran ran = run("", "simulate", "--check", file);

        assertThat(ran.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(ran.out().lines())
                .startsWith(
                        "held    " + file + ": spec.expect[0] at the end: pods ml/a bound 1",
                        "held    " + file
                                + ": spec.expect[1] at 5s: pods ml/typo-* bound 0 (note: no pod ml/typo-* ever existed)");
        assertThat(ran.out()).contains("2 of 2 expectations held; ended at 30s");
    }

    @Test
    void anExpectationThatDoesNotHoldSaysWhatWasSeenAndExitCodeOne() throws IOException {
        String file = file("f.yaml", SCENARIO.formatted(2) + OBJECTS);

        Ran ran = run("", "simulate", "--check", file);

        assertThat(ran.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(ran.out())
                .startsWith("BROKEN  " + file
                        + ": spec.expect[0] at the end: pods ml/a bound 2; at 30s: 1 bound: a on n1\n");
    }

    @Test
    void objectsOfOneFileAreJudgedByTheScenariosOfOthersAndStdin() throws IOException {
        String objects = file("objects.yaml", OBJECTS);
        String holds = file("holds.yaml", SCENARIO.formatted(1));

        Ran ran = run(SCENARIO.formatted(2), "simulate", "--check", objects, holds, "-");

        assertThat(ran.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(ran.out()).contains(holds + ": 2 of 2 expectations held", "stdin: 1 of 2 expectations held");
    }

    @Test
    void jsonAndYamlSayTheSameInFieldsThatAreDocumented() throws IOException {
        String file = file("f.yaml", SCENARIO.formatted(1) + OBJECTS);

        JsonNode json = new ObjectMapper()
                .readTree(run("", "simulate", "--check", file, "-o", "json").out());
        JsonNode yaml = new YAMLMapper()
                .readTree(run("", "simulate", "--check", file, "-o", "yaml").out());

        JsonNode item = json.path("items").path(0);
        assertThat(yaml).isEqualTo(json);
        assertThat(item.path("good").asBoolean()).isTrue();
        assertThat(item.path("endedAtMillis").asLong()).isEqualTo(30_000);
        assertThat(item.path("expectations").path(0).path("held").asBoolean()).isTrue();
        assertThat(item.path("expectations").path(1).path("missing").path(0).asText())
                .contains("typo");
        assertThat(item.path("timeline").findValuesAsText("type")).contains("node", "applied", "placed");
        assertThat(item.path("workloads")
                        .path(0)
                        .path("pods")
                        .path(0)
                        .path("node")
                        .asText())
                .isEqualTo("n1");
        assertThat(item.path("nodes")
                        .path(0)
                        .path("used")
                        .path("nvidia.com/gpu")
                        .asText())
                .isEqualTo("2");
        assertThat(item.path("notUsedYet").path(0).path("kind").asText()).isEqualTo("Workload");
        assertThat(item.path("replay").path("same").asBoolean()).isTrue();
        String formats = Files.readString(Path.of("..", "docs", "formats.md"));
        item.fieldNames().forEachRemaining(field -> assertThat(formats).contains("." + field));
    }

    @Test
    void anEndThatIsGivenStandsInForTheScenarios() throws IOException {
        String file = file("f.yaml", SCENARIO.formatted(1) + OBJECTS);

        Ran ran = run("", "simulate", "--check", file, "--until", "2m");

        assertThat(ran.out()).contains("0 bound", "ended at 2m");
        assertThat(ran.exitCode()).isEqualTo(ExitCode.NO);
    }

    @Test
    void whatCanNotBeUnderstoodIsOneLineAndExitCodeTwo() throws IOException {
        String file = file("f.yaml", SCENARIO.formatted("many"));
        String noClass = file("g.yaml", OBJECTS.replace("schedulerName: muster", "priorityClassName: nobody"));

        for (Ran ran : new Ran[] {
            run("", "simulate", file),
            run("", "simulate", "--check", file("plain.yaml", OBJECTS)),
            run("", "simulate"),
            run("", "simulate", "-", "-"),
            run("", "simulate", folder.resolve("no.yaml").toString()),
            run("", "simulate", folder.toString()),
            run("", "simulate", file, "--trace", "openb", "--nodes", "n", "--pods", "p"),
            run("", "simulate", noClass)
        }) {
            assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCode.UNUSABLE_INPUT);
            assertThat(ran.err().lines()).as(ran.err()).hasSize(1);
            assertThat(ran.err()).startsWith("muster: ").doesNotContain("Exception");
            assertThat(ran.out()).isEmpty();
        }
        assertThat(run("", "simulate", noClass).err())
                .isEqualTo("muster: " + noClass + ":10: document 3 (Pod ml/a): refused at 10s: pods \"a\" is forbidden:"
                        + " no PriorityClass with name nobody was found\n");
    }
}
