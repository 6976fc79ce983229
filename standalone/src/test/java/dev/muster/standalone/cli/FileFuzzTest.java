package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.standalone.scenario.read.ScenarioFormatException;
import dev.muster.standalone.scenario.read.ScenarioReader;
import dev.muster.standalone.trace.OpenbTrace;
import dev.muster.standalone.trace.TraceFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with pieces taken out, doubled, or replaced, each drawn from the seed that a failure names: what can't be read is
 * refused in one line that names the file, with the reader's own exception and no other.
 */
class FileFuzzTest {
    private static final int MUTATIONS = Integer.getInteger("muster.fuzz", 1_000);
    private static final long SEED = Long.getLong("muster.fuzz.seed", 20_261_130L);

    private static final List<String> SPLINTERS = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ": ",
            "- ",
            ",",
            "\n",
            "\t",
            "\"",
            "'",
            "#",
            "&a ",
            "*a",
            "<<: *a",
            "!!int ",
            "!x ",
            "|",
            ">",
            "?",
            "---\n",
            "%YAML 9\n",
            "null",
            "~",
            "true",
            "-1",
            "0",
            "0x7fffffffffffffffff",
            "1e999",
            ".nan",
            "99999999999999999999",
            "[[[[[[[[[[",
            "{a: ",
            "\u0000",
            "\u202e",
            "\ud800",
            "\ufeff",
            "x".repeat(300),
            "10000000",
            "2026-11-30",
            "1:30");

    private static final String JOB = """
            apiVersion: muster.dev/v1alpha1
            kind: Job
            metadata: {name: train, namespace: research}
            spec:
              queue: research
              priority: 5
              minAvailable: 3
              tasks:
              - name: worker
                replicas: 4
                template: &t
                  spec:
                    containers:
                    - {name: main, image: "train:1", resources: {limits: {cpu: 4, nvidia.com/gpu: 1}}}
              - name: ps
                template: *t
            """;

    private static final String SCENARIO = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: '8', memory: 16Gi, pods: '10', nvidia.com/gpu: '4'}}
            ---
            apiVersion: scheduling.x-k8s.io/v1alpha1
            kind: PodGroup
            metadata: {name: g, namespace: default}
            spec: {minMember: 2}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p-0, namespace: default, labels: {scheduling.x-k8s.io/pod-group: g}}
            spec:
              schedulerName: muster
              containers: [{name: a, image: b, resources: {limits: {nvidia.com/gpu: 1}}}]
            """;

    private static final String NODES = """
            sn,cpu_milli,memory_mib,gpu,model
            node-0,64000,262144,8,A100
            node-1,32000,131072,0,
            """;

    private static final String PODS = """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
            p-0,1000,2048,1,500,A100|H100,LS,Running,0,100,0
            p-1,4000,2048,2,1000,,BE,Running,5,200,5
            """;

    @TempDir
    Path directory;

    private interface Reading {
        void read(Path file) throws IOException;
    }

    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    @Test
    void jobFiles() throws IOException {
        fuzz(JOB, "job.yaml", JobFile::read, CommandException.class);
    }

    @Test
    void scenarioFiles() throws IOException {
        fuzz(
                SCENARIO,
                "scenario.yaml",
                file -> ScenarioReader.read(
                        List.of(new ScenarioReader.Input(file.toString(), Files.readAllBytes(file)))),
                ScenarioFormatException.class);
    }

    @Test
    void nodeLists() throws IOException {
        Path pods = Files.writeString(directory.resolve("good-pods.csv"), PODS);
        fuzz(NODES, "nodes.csv", file -> OpenbTrace.read(file, pods), TraceFormatException.class);
    }

    @Test
    void podLists() throws IOException {
        Path nodes = Files.writeString(directory.resolve("good-nodes.csv"), NODES);
        fuzz(PODS, "pods.csv", file -> OpenbTrace.read(nodes, file), TraceFormatException.class);
    }

    private void fuzz(String good, String name, Reading reading, Class<? extends RuntimeException> refusal)
            throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, good);
        reading.read(file);
        int read = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            String text = mutated(good, new Random(SEED + i));
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
            try {
                reading.read(file);
                read++;
            } catch (RuntimeException | StackOverflowError e) {
                if (!refusal.isInstance(e)) {
                    throw new AssertionError("seed " + (SEED + i) + ": " + text, e);
                }
                assertThat(e.getMessage())
                        .as("seed " + (SEED + i) + ": " + text)
                        .contains(name)
                        .doesNotContain("\n", "Exception", "com.fasterxml", "java.");
            }
        }
        // Both sides of the border are visited.
        assertThat(read).isBetween(MUTATIONS / 50, MUTATIONS * 49 / 50);
    }

    private static String mutated(String text, Random random) {
        String mutated = text;
        for (int n = random.nextInt(3); n >= 0; n--) {
            int from = random.nextInt(mutated.length() + 1);
            int to = random.nextBoolean() ? from : Math.min(mutated.length(), from + random.nextInt(30));
            String splinter = switch (random.nextInt(4)) {
                case 0 -> "";
                case 1 -> mutated.substring(from, to).repeat(2);
                default -> SPLINTERS.get(random.nextInt(SPLINTERS.size()));
            };
            mutated = mutated.substring(0, from) + splinter + mutated.substring(to);
        }
        return mutated;
    }
}
