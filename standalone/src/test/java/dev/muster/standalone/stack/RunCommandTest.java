package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code muster run} on two clusters that it knows from kubeconfig files, and jobs that are submitted to it as events. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunCommandTest {
    private record Result(int exitCode, String out, String err) {}

    private final ByteArrayOutputStream runOut = new ByteArrayOutputStream();
    private final ByteArrayOutputStream runErr = new ByteArrayOutputStream();
    private TestCluster east;
    private TestCluster west;
    private Path directory;
    private Path dataDir;
    private Thread run;
    private Connection connection;
    private TopicHistory topics;

    @BeforeAll
    void runOnTwoClusters(@TempDir Path temporary) throws IOException {
        directory = temporary;
        east = TestCluster.start("east");
        west = TestCluster.start("west");
        dataDir = directory.resolve("data");
        Path eastFile = east.kubeconfig(directory);
        Path westFile = west.kubeconfig(directory);
        run = new Thread(
                () -> Muster.execute(
                        environment(runOut, runErr),
                        "run",
                        "--kubeconfig",
                        "east=" + eastFile,
                        "--kubeconfig",
                        "west=" + westFile,
                        "--data-dir",
                        dataDir.toString()),
                "muster run");
        run.start();
        patiently().until(() -> text(runErr).contains("all healthy") || !run.isAlive());
        assertThat(text(runErr)).contains("Kafka at ", "schema registry at ", "all healthy");
        connection = Connection.to(dataDir);
        topics = new TopicHistory(connection);
    }

    @AfterAll
    void stopEverything() throws InterruptedException {
        topics.close();
        connection.close();
        run.interrupt();
        run.join(Duration.ofSeconds(30));
        assertThat(run.isAlive()).as("muster run ends when it is asked to").isFalse();
        assertThat(text(runOut)).isEmpty();
        for (TestCluster cluster : new TestCluster[] {east, west}) {
            assertThat(cluster.simulated().counters().violations()).isZero();
            cluster.close();
        }
    }

    @Test
    void podsAreBoundInTheirOwnCluster() {
        east.node("own", "own-east", 2);
        west.node("own", "own-west", 2);

        east.gang("own", "gang", 2);
        west.gang("own", "gang", 2);

        patiently().until(() -> east.running("gang") == 2 && west.running("gang") == 2);
        assertThat(east.nodesOf("gang")).containsOnly("own-east");
        assertThat(west.nodesOf("gang")).containsOnly("own-west");
        assertThat(east.bound())
                .filteredOn(bound -> bound.pod().startsWith("gang-"))
                .allMatch(topics::decided, "bound as decided");
    }

    @Test
    void aJobThatCameAsAnEventRunsInTheClusterThatHasRoomAndIsCompleted() throws IOException {
        east.node("event", "event-east", 2);
        Result submit = submit("event-job", "event", 3, "");
        assertThat(submit.exitCode()).as(submit.err()).isZero();
        assertThat(submit.out()).contains("event-job").contains("accepted");
        patiently().untilAsserted(() -> assertThat(topics.told("event-job")).contains("Accepted", "Pending"));

        west.node("event", "event-west", 4);

        patiently().until(() -> west.running("event-job") == 3);
        assertThat(east.pods("event-job")).isEmpty();
        assertThat(west.bound())
                .filteredOn(bound -> bound.pod().startsWith("event-job-"))
                .hasSize(3)
                .allMatch(topics::decided, "bound as decided");
        patiently().untilAsserted(() -> assertThat(topics.told("event-job")).contains("Running"));
        west.pods("event-job").forEach(pod -> west.simulated().kubelet().endPod("default", TestCluster.name(pod)));
        patiently()
                .untilAsserted(() -> assertThat(topics.told("event-job"))
                        .containsSubsequence("Accepted", "Pending", "Placed", "Running", "Completed")
                        .endsWith("Completed"));
    }

    @Test
    void cancellingARunningJobDeletesItsPods() throws IOException {
        east.node("cancel", "cancel-east", 4);
        west.node("cancel", "cancel-west", 4);
        assertThat(submit("cancel-job", "cancel", 2, "cluster: west, ").exitCode())
                .isZero();
        patiently().until(() -> west.running("cancel-job") == 2);

        Result cancel = muster("cancel", "cancel-job", "--data-dir", dataDir.toString());

        assertThat(cancel.exitCode()).as(cancel.err()).isZero();
        patiently().untilAsserted(() -> assertThat(west.pods("cancel-job")).isEmpty());
        patiently().untilAsserted(() -> assertThat(topics.told("cancel-job")).endsWith("Cancelled"));
        assertThat(east.pods("cancel-job")).isEmpty();
    }

    @Test
    void aSuspendedJobGivesItsRoomBackAndGoesOnWhenItIsResumed() throws IOException {
        west.node("suspend", "suspend-west", 2);
        assertThat(submit("suspend-job", "suspend", 2, "").exitCode()).isZero();
        patiently().until(() -> west.running("suspend-job") == 2);

        Result suspend = muster("suspend", "suspend-job", "--data-dir", dataDir.toString());

        assertThat(suspend.exitCode()).as(suspend.err()).isZero();
        patiently().untilAsserted(() -> assertThat(west.pods("suspend-job")).isEmpty());
        patiently().untilAsserted(() -> assertThat(topics.told("suspend-job")).endsWith("Suspended"));
        assertThat(muster("jobs", "--state", "suspended", "--data-dir", dataDir.toString())
                        .out())
                .contains("suspend-job", "Suspended");
        assertThat(muster("explain", "suspend-job", "--data-dir", dataDir.toString())
                        .out())
                .contains("its tenant suspended it", "delete 2 pods (Suspended)");
        assertThat(submit("meanwhile", "suspend", 2, "").exitCode()).isZero();
        patiently().until(() -> west.running("meanwhile") == 2);

        assertThat(muster("resume", "suspend-job", "--data-dir", dataDir.toString())
                        .exitCode())
                .isZero();
        patiently().untilAsserted(() -> assertThat(topics.told("suspend-job")).endsWith("Pending"));
        west.pods("meanwhile").forEach(pod -> west.simulated().kubelet().endPod("default", TestCluster.name(pod)));
        patiently().until(() -> west.running("suspend-job") == 2);
        patiently().untilAsserted(() -> assertThat(topics.told("suspend-job")).endsWith("Running"));
    }

    @Test
    void commandsTellTheClustersApart() {
        east.node("apart", "apart-east", 1);
        west.node("apart", "apart-west", 1);
        east.gang("apart", "apart", 1);
        west.gang("apart", "apart", 1);
        patiently().until(() -> east.running("apart") == 1 && west.running("apart") == 1);

        assertThat(muster("nodes", "--data-dir", dataDir.toString()).out()).contains("apart-east", "apart-west");
        assertThat(muster("explain", "apart", "--data-dir", dataDir.toString()).err())
                .contains("east/default/PodGroup/apart", "west/default/PodGroup/apart");
        patiently()
                .untilAsserted(() -> assertThat(
                                muster("explain", "west/default/PodGroup/apart", "--data-dir", dataDir.toString())
                                        .out())
                        .contains("1 of 1 bound", "of west"));
    }

    @Test
    void anInvalidJobIsRejectedNamingTheField() throws IOException {
        Result submit = submit("invalid-job", "event", 0, "");

        assertThat(submit.exitCode()).isEqualTo(1);
        assertThat(submit.err()).hasLineCount(1).contains("invalid-job", "rejected", "job.tasks[0].replicas");
        assertThat(topics.told("invalid-job")).containsExactly("Rejected");
    }

    private Result submit(String name, String pool, int replicas, String spec) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".yaml"), """
            apiVersion: muster.dev/v1alpha1
            kind: Job
            metadata: {name: %s}
            spec: {%s tasks: [{name: worker, replicas: %d, template: {spec: {restartPolicy: Never, nodeSelector: {pool: %s},
              containers: [{name: main, image: 'train:1', resources: {limits: {cpu: '1', nvidia.com/gpu: '1'}}}]}}}]}
            """.formatted(name, spec, replicas, pool));
        return muster("submit", "-f", file.toString(), "--data-dir", dataDir.toString());
    }

    private static Result muster(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Muster.execute(environment(out, err), args);
        return new Result(exitCode, text(out), text(err));
    }

    private static Environment environment(ByteArrayOutputStream out, ByteArrayOutputStream err) {
        return new Environment(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false,
                100);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private static ConditionFactory patiently() {
        return await().pollInSameThread().atMost(Duration.ofSeconds(30));
    }
}
