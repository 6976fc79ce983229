package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.Faults;
import dev.muster.standalone.cluster.Faults.Action.Delay;
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
        Faults.Rule refused;
        try (Stack stack = started()) {
            cluster.gang("pool", "runs", 2);
            patiently().until(() -> cluster.running("runs") == 2);
            // One pod's binding gets through, the other's is still being tried when the stack goes down.
            refused = cluster.faults()
                    .add("create", "pods/binding", "half-1", Faults.ALWAYS, new Refuse(503, "ServiceUnavailable", "busy"));
            Faults.Rule slow =
                    cluster.faults().add("create", "pods/binding", "half-0", 1, new Delay(Duration.ofMillis(300)));
            cluster.gang("pool", "half", 2);
            patiently().until(() -> refused.hits() > 0 && slow.hits() > 0);
            cluster.gang("pool", "waits", 4);
            patiently().untilAsserted(() -> assertThat(cluster.pods("waits"))
                    .hasSize(4)
                    .allSatisfy(pod -> assertThat(TestCluster.waitingBecause(pod)).isNotEmpty()));
            stack.check();
        }
        assertThat(cluster.nodesOf("waits")).isEmpty();
        cluster.faults().clear();
        cluster.pods("runs").forEach(pod -> cluster.simulated()
                .store()
                .delete(ResourceKinds.PODS, "default", TestCluster.name(pod), DeleteOptions.NOW));
        cluster.node("later", "node-2", 2);
        cluster.gang("later", "late", 2);

        try (Stack stack = started()) {
            patiently().until(() -> cluster.running("late") == 2);
            patiently().until(() -> cluster.running("half") == 2);
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
        assertThat(cluster.simulated().counters().binds()).isEqualTo(cluster.bound().size());
        assertThat(cluster.simulated().counters().violations()).isZero();
        verifyJournal();
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
        return await().atMost(Duration.ofSeconds(30));
    }
}
