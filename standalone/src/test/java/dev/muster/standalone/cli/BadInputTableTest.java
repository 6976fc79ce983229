package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way to get a command line, a file or an address wrong is answered with one line on stderr that names what is wrong,
 * nothing on stdout, and exit code 2 or 3. {@code @1} in a command line stands
 * for its first file.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTableTest {
    private static final String HERE = " --data-dir @dir";
    private static final String THERE = " --bootstrap-servers 127.0.0.1:1 --schema-registry http://127.0.0.1:1";
    private static final String JOB =
            "{apiVersion: muster.dev/v1alpha1, kind: Job, metadata: {name: a}, spec: {tasks: [%s]}}";
    private static final String BINARY = "\u0000binary";
    static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: c
            clusters:
            - name: c
              cluster: {server: 'http://127.0.0.1:1'}
            users:
            - name: u
              user: {token: t}
            contexts:
            - name: c
              context: {cluster: c, user: u}
            """;
    private static final String TEMPLATE = "template: {spec: {containers: [{name: a, image: b}]}}";

    private Path directory;

    /** A command line, its exit code, what its one line must say, and the content of the files that it names. */
    record Bad(String line, int exitCode, String says, List<String> files) {
        @Override
        public String toString() {
            return line + " "
                    + files.stream()
                            .map(f -> f.substring(0, Math.min(60, f.length())))
                            .toList();
        }
    }

    private static Bad two(String line, String says, String... files) {
        return new Bad(line, ExitCode.UNUSABLE_INPUT, says, List.of(files));
    }

    private static Bad three(String line, String says) {
        return new Bad(line, ExitCode.UNREACHABLE, says, List.of());
    }

    static Stream<Bad> commandLines() {
        return Stream.of(
                two("", "a command is missing"),
                two("demp", "there is no command demp; did you mean demo?"),
                two("--no-such-option", "Unknown option"),
                two("demo --no-such-option", "Unknown option"),
                two("demo extra", "extra"),
                two("demo --seed x", "--seed"),
                two("demo --seed 1e3", "--seed"),
                two("demo --seed 99999999999999999999", "--seed"),
                two("demo --nodes 0", "--nodes 0: expected a number from 1 to 5000"),
                two("demo --nodes -5", "expected a number from 1 to 5000"),
                two("demo --nodes 10000000", "expected a number from 1 to 5000"),
                two("demo --duration 5", "is not a duration such as 90s"),
                two("demo --duration=-3s", "is not a duration such as 90s"),
                two("demo --duration 9999999999999999h", "is not a duration such as 90s"),
                two("demo -o csv", "expected one of"),
                two("demo -o wide", "demo answers as table, json or yaml"),
                two("demo --max-undecided 4", "only together with --trace"),
                two("demo --trace openb", "--pods FILE is missing"),
                two("demo --trace philly --pods x", "expected one of"),
                two("demo --trace openb --nodes missing.csv --pods missing.csv", "missing.csv: no such file"),
                two("run", "--kubeconfig"),
                two("run --kubeconfig", "--kubeconfig"),
                two("run --kubeconfig @dir", "is a directory, expected a file"),
                two("run --kubeconfig missing.yaml", "missing.yaml: no such file"),
                two("run --kubeconfig @1", "not a kubeconfig", "garbage"),
                two("run --kubeconfig UPPER_CASE=@kubeconfig", "expected a DNS label"),
                two("run --kubeconfig a=@kubeconfig --kubeconfig a=@kubeconfig", "a cluster a was given before"),
                two("run --kubeconfig a=@kubeconfig --domain Bad_Domain", "Bad_Domain"),
                two(
                        "run --kubeconfig a=@kubeconfig --bootstrap-servers nowhere --schema-registry http://x",
                        "expected HOST:PORT"),
                three("run --kubeconfig a=@kubeconfig --bootstrap-servers 127.0.0.1:1", "connection refused"),
                two("run --kubeconfig a=@kubeconfig --schema-registry ::", "--schema-registry"),
                three("run --kubeconfig a=@kubeconfig" + THERE, "connection refused"),
                two("jobs", "where are the topics?"),
                two("jobs --data-dir missing", "holds no topics"),
                two("jobs" + HERE, "holds no topics"),
                two("jobs" + HERE + THERE, "expected one of the two"),
                two("jobs --bootstrap-servers 127.0.0.1:1", "--schema-registry URL is missing"),
                two("jobs --bootstrap-servers nowhere --schema-registry http://x", "expected HOST:PORT"),
                two("jobs --bootstrap-servers a:99999 --schema-registry http://x", "expected HOST:PORT"),
                two("jobs --bootstrap-servers a:9092 --schema-registry ftp://x", "expected http://HOST"),
                two("jobs --bootstrap-servers a:9092 --schema-registry ::", "--schema-registry ::"),
                three("jobs" + THERE, "connection refused"),
                three("submit --gang 1x1 --name a --image b" + THERE, "connection refused"),
                two("jobs --state waitin" + HERE, "expected one of incomplete"),
                two("jobs -l =" + HERE, "expected KEY=VALUE"),
                two("jobs -l app=x" + HERE, "no such field"),
                two("jobs -o xml" + HERE, "expected one of"),
                two("jobs --topic-prefix a/b" + HERE, "topic prefix 'a/b'"),
                two("jobs --command-config missing" + THERE, "missing: no such file"),
                two("jobs --command-config @1" + THERE, "security.protocl: expected a setting", "security.protocl=SSL"),
                two("jobs --command-config @1" + THERE, "expected a properties file", "a=\\u12"),
                two("jobs --command-config @1" + THERE, "expected a properties file", BINARY),
                two("jobs --command-config @1" + THERE, "expected USER:PASSWORD", "basic.auth.user.info=alice"),
                two("jobs --command-config @1" + THERE, "expected USER_INFO", "basic.auth.credentials.source=URL"),
                two(
                        "jobs --command-config @1" + THERE,
                        "a file that can be read",
                        "schema.registry.ssl.truststore.location=/none"),
                two("jobs --command-config @1" + THERE, "security.protocol", "security.protocol=TSL"),
                two("nodes -l a@b" + HERE, "expected KEY=VALUE"),
                two("nodes --sort-by" + HERE, "--sort-by"),
                two("queues surplus" + HERE, "surplus"),
                two("top --interval 0s" + HERE, "--interval"),
                two("top --window 5s" + HERE, "--window: expected 10s to 1h"),
                two("top --limit -1" + HERE, "--limit -1: expected 0 or more"),
                two("top --limit ten" + HERE, "--limit"),
                two("top -o name" + HERE, "top answers as table, json or yaml"),
                two("explain" + HERE, "NAME"),
                two("explain a -o wide" + HERE, "explain answers as table, json or yaml"),
                two("replay", "where are the topics?"),
                two("replay --domain Bad_Domain" + HERE, "Bad_Domain"),
                two("replay --domain a --domains b,c" + HERE, "--domain a"),
                two("replay --domain a --domains a,a" + HERE, "a is named twice"),
                two("cancel" + HERE, "NAME"),
                two("cancel a --tenant Not_A_Name" + HERE, "Not_A_Name"),
                two("cancel a --wait soon" + HERE, "is not a duration"),
                two("suspend" + HERE, "NAME"),
                two("resume" + HERE, "NAME"),
                two("completion fish", "expected one of"));
    }

    static Stream<Bad> jobs() {
        return Stream.of(
                two("submit" + HERE, "expected -f FILE or --gang"),
                two("submit --gang 8*4 --name a --image b" + HERE, "is not PODSxGPUS"),
                two("submit --gang 10000000x1 --name a --image b" + HERE, "is not PODSxGPUS"),
                two("submit --gang=-1x1 --name a --image b" + HERE, "is not PODSxGPUS"),
                two("submit --gang 1x1 --image b" + HERE, "--name NAME is missing"),
                two("submit --gang 1x1 --name a" + HERE, "--image IMAGE is missing"),
                two("submit --gang 1x1 --name a --image b -f x" + HERE, "one of the two"),
                two("submit -f missing.yaml" + HERE, "missing.yaml: no such file"),
                two("submit -f @dir" + HERE, "is a directory"),
                job("", "expected one object, got 0"),
                job("a: [", "not YAML"),
                job("\tb", "not YAML"),
                job("a: 1\na: 2", "given twice"),
                job("[1]", "expected an object with apiVersion and kind, got a list"),
                job("kind: Pod", "apiVersion: expected muster.dev/v1alpha1"),
                job("{apiVersion: muster.dev/v1alpha1, kind: Jobs}", "kind: expected Job"),
                job("{apiVersion: muster.dev/v1alpha1, kind: Job, spc: {}}", "spc: expected one of apiVersion"),
                job(JOB.formatted(""), "spec.tasks: expected a list of at least one"),
                job(JOB.formatted("7"), "spec.tasks[0]: expected an object"),
                job(JOB.formatted("{name: w, replicas: eight, " + TEMPLATE + "}"), "replicas: expected a whole number"),
                job(JOB.formatted("{name: w, replicas: 1.5, " + TEMPLATE + "}"), "replicas: expected a whole number"),
                job(
                        JOB.formatted("{name: w, replicas: 99999999999, " + TEMPLATE + "}"),
                        "replicas: expected a whole number"),
                job(JOB.formatted("{name: w, replcas: 1, " + TEMPLATE + "}"), "replcas: expected one of"),
                job(JOB.formatted("{name: 7, " + TEMPLATE + "}"), "spec.tasks[0].name: expected text"),
                job(JOB.formatted("{name: w}"), "spec.tasks[0].template: expected a PodTemplateSpec"),
                job(
                        "{apiVersion: muster.dev/v1alpha1, kind: Job, metadata: {name: [a]}, spec: {tasks: [{name: w, "
                                + TEMPLATE + "}]}}",
                        "metadata.name: expected text"),
                job("a: &a [*a]", "expected"),
                job("a: *unknown", "not YAML"),
                job("[".repeat(100_000), "Nesting Depth exceeded max 100"),
                job("{a: ".repeat(5_000), "Nesting Depth exceeded max 100"),
                job("{\"a\": ".repeat(100_000), "nesting depth"),
                job(doubling(), "aliases"),
                job(BINARY, "UTF-8"));
    }

    static Stream<Bad> traces() {
        String nodes = "sn,cpu_milli,memory_mib,gpu,model\n";
        String good = nodes + "a,1000,1000,8,x\n";
        String pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
        return Stream.of(
                two("simulate", "--trace"),
                trace("", good, "the file is empty"),
                trace(nodes + "a,1000\n", pods, ":2: 2 cells, expected 5 as in the header"),
                trace("sn,cpu\na,1\n", pods, ":1: the header lacks cpu_milli"),
                trace(nodes + "a,-1,1000,8,x\n", pods, ":2: cpu_milli is -1, expected 0 to"),
                trace(nodes + "a,1e9,1000,8,x\n", pods, ":2: cpu_milli is \"1e9\", expected a whole number"),
                trace(nodes + "a,1000,1000,10000000,x\n", pods, ":2: gpu is 10000000, expected 0 to 64"),
                trace(nodes + "a,1000,99999999999999999999,8,x\n", pods, "expected a whole number"),
                trace(nodes + "Not A Name,1,1,1,x\n", pods, "expected a Kubernetes object name"),
                trace(good + "a,1,1,1,x\n", pods, ":3: sn \"a\" was seen before"),
                trace(good + "\"b,1,1,1,x\n", pods, "not CSV"),
                trace(BINARY, pods, "not UTF-8"),
                trace(good, pods + "p,1,1,1,-7\n", "gpu_milli is -7, expected 0 to 1000"),
                trace(good, pods + "p,1,1,2,500\n", "expected 1000 where num_gpu is 2"),
                trace(good, pods + "../p,1,1,1,500\n", "expected a Kubernetes object name"),
                two("simulate --trace openb --nodes missing.csv --pods missing.csv", "missing.csv: no such file"),
                two("simulate --trace openb --strategy best --nodes x --pods x", "expected one of"));
    }

    private static String doubling() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append("x")
                    .append(i + 1)
                    .append(": &x")
                    .append(i + 1)
                    .append(i == 0 ? " [a, a]\n" : " [*x" + i + ", *x" + i + "]\n");
        }
        return text.toString();
    }

    private static Bad job(String content, String says) {
        return two("submit -f @1" + HERE, says, content);
    }

    private static Bad trace(String nodes, String pods, String says) {
        return two("simulate --trace openb --nodes @1 --pods @2", says, nodes, pods);
    }

    @BeforeAll
    void aDirectory(@TempDir Path temporary) {
        directory = temporary;
    }

    @ParameterizedTest
    @MethodSource({"commandLines", "jobs", "traces"})
    void isOneLineThatSaysWhatIsWrong(Bad bad) throws IOException {
        CommandRun run = CommandRun.of(words(bad));
        assertThat(run.err())
                .startsWith("muster: ")
                .hasLineCount(1)
                .contains(bad.says())
                .doesNotContain("Exception", "\tat ", "java.", "dev.muster.standalone", "com.fasterxml", "null");
        assertThat(run.exitCode()).isEqualTo(bad.exitCode());
        assertThat(run.out()).isEmpty();
    }

    @Test
    void theTableIsLongEnough() {
        assertThat(Stream.of(commandLines(), jobs(), traces()).flatMap(s -> s)).hasSizeGreaterThan(120);
    }

    private String[] words(Bad bad) throws IOException {
        String line = bad.line().replace("@dir", directory.toString()).replace("@kubeconfig", file(KUBECONFIG));
        for (int i = 0; i < bad.files().size(); i++) {
            line = line.replace("@" + (i + 1), file(bad.files().get(i)));
        }
        return line.isEmpty() ? new String[0] : line.split(" +");
    }

    private String file(String content) throws IOException {
        byte[] bytes = content.equals(BINARY)
                ? new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, (byte) 0x80}
                : content.getBytes(StandardCharsets.UTF_8);
        return Files.write(Files.createTempFile(directory, "bad", ".in"), bytes).toString();
    }
}
