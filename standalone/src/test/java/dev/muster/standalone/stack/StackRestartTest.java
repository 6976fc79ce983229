package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.Faults;
import dev.muster.standalone.cluster.Faults.Action.Refuse;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.replay.ReplayReport;
import dev.muster.standalone.replay.ReplayVerifier;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stack that is stopped in the middle of its work and started again, while its cluster lives on. */
class StackRestartTest {
    @TempDir
    Path dataDir;

    private TestCluster cluster;

    @BeforeEach
    void startCluster() {
        cluster = TestCluster.start("east");
        cluster.node("pool", "node-1", 4);
    }

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    @Test
    void nothingIsLostOrBoundTwiceAndTheJournalTellsTheSame() {
        Faults.Rule half = refuseBinding("half-1");
        Faults.Rule torn = refuseBinding("torn-worker-1");
        try (Stack stack = started()) {
            cluster.gang("pool", "runs", 2);
            patiently().until(() -> cluster.running("runs") == 2);
            // Of two gangs one pod's binding gets through, the other's is still being tried when the stack goes down.
            cluster.gang("pool", "half", 2);
            cluster.node("torn", "torn-1", 2);
            cluster.volcanoJob("torn", "torn", new TestCluster.Task("worker", 2, "{}"));
            patiently().until(() -> half.hits() > 0 && torn.hits() > 0);
            patiently()
                    .until(() -> cluster.nodesOf("half").size() == 1
                            && cluster.nodesOf("torn").size() == 1);
            cluster.gang("pool", "waits", 4);
            patiently()
                    .untilAsserted(() -> assertThat(cluster.pods("waits"))
                            .hasSize(4)
                            .allSatisfy(pod ->
                                    assertThat(TestCluster.waitingBecause(pod)).isNotEmpty()));
            stack.check();
        }
        assertThat(cluster.nodesOf("waits")).isEmpty();
        cluster.faults().clear();
        cluster.pods("runs").forEach(pod -> delete(TestCluster.name(pod)));
        // Made anew by its controller, under the same name.
        delete("torn-worker-1");
        cluster.node("later", "node-2", 2);
        cluster.gang("later", "late", 2);

        try (Stack stack = started()) {
            patiently().until(() -> cluster.running("late") == 2);
            patiently().until(() -> cluster.running("half") == 2);
            patiently().until(() -> cluster.jobPhase("torn").equals("Running") && cluster.running("torn") == 2);
            assertThat(cluster.nodesOf("waits")).isEmpty();
            cluster.node("pool", "node-3", 2);
            patiently().until(() -> cluster.running("waits") == 4);
            stack.check();
            try (Connection connection = Connection.to(stack.bootstrapServers(), stack.registryUri());
                    TopicHistory topics = new TopicHistory(connection)) {
                assertThat(cluster.bound()).allMatch(topics::decided, "bound as decided");
            }
        }

        assertThat(cluster.bound()).extracting(TestCluster.Bound::uid).doesNotHaveDuplicates();
        assertThat(cluster.simulated().counters().binds())
                .isEqualTo(cluster.bound().size());
        assertThat(cluster.simulated().counters().violations()).isZero();
        verifyJournal();
    }

    private Faults.Rule refuseBinding(String pod) {
        return cluster.faults()
                .add("create", "pods/binding", pod, Faults.ALWAYS, new Refuse(503, "ServiceUnavailable", "busy"));
    }

    private void delete(String pod) {
        cluster.simulated().store().delete(ResourceKinds.PODS, "default", pod, DeleteOptions.NOW);
    }

    private void verifyJournal() {
        try (Connection connection = Connection.to(dataDir)) {
            ReplayReport report = new ReplayVerifier(
                            connection.kafka(),
                            connection.registry(),
                            Topics.DEFAULT,
                            Domains.of(StackConfig.DEFAULT_DOMAIN),
                            StackConfig.DEFAULT_DOMAIN)
                    .verify();
            assertThat(report.problem()).isEmpty();
            assertThat(report.comparison()).hasValueSatisfying(comparison -> {
                assertThat(comparison.first()).isEmpty();
                assertThat(comparison.differences()).isZero();
                assertThat(comparison.equal()).isEqualTo(report.decisions()).isGreaterThanOrEqualTo(4);
            });
        }
    }

    private Stack started() {
        Stack stack = Stack.start(StackConfig.embedded(dataDir).withMember(cluster.member()));
        patiently().until(stack::healthy);
        return stack;
    }

    private static ConditionFactory patiently() {
        return await().pollInSameThread().atMost(Duration.ofSeconds(30));
    }
}
