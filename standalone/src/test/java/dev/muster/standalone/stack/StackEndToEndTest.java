package dev.muster.standalone.stack;

import static dev.muster.standalone.stack.TestCluster.name;
import static dev.muster.standalone.stack.TestCluster.nodeOf;
import static dev.muster.standalone.stack.TestCluster.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.Faults;
import dev.muster.standalone.cluster.Faults.Action.Delay;
import dev.muster.standalone.cluster.Faults.Action.LoseReply;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.stack.TestCluster.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Gangs of a cluster through broker, ingest, scheduler, binder and API server, as the cluster sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StackEndToEndTest {
    private static final String NO_ANNOTATIONS = "{}";

    private TestCluster cluster;
    private Stack stack;
    private Connection connection;
    private TopicHistory topics;

    @BeforeAll
    void startEverything(@TempDir Path dataDir) {
        cluster = TestCluster.start("east");
        stack = Stack.start(StackConfig.embedded(dataDir).withMember(cluster.member()));
        connection = Connection.to(stack.bootstrapServers(), stack.registryUri());
        topics = new TopicHistory(connection);
        patiently().until(stack::healthy);
    }

    @AfterAll
    void stopEverything() {
        topics.close();
        connection.close();
        stack.close();
        cluster.close();
    }

    @AfterEach
    void theLawsHold() {
        stack.check();
        assertThat(stack.describeHealth()).isEqualTo("all healthy");
        assertThat(cluster.simulated().counters().violations()).isZero();
        assertThat(cluster.bound()).isNotEmpty().allMatch(topics::decided, "bound as decided");
    }

    @Test
    void aVolcanoJobGetsItsPodsAndRuns() {
        cluster.node("vcjob", "vcjob-1", 2);
        cluster.node("vcjob", "vcjob-2", 2);

        cluster.volcanoJob("vcjob", "train", new Task("ps", 1, NO_ANNOTATIONS), new Task("worker", 3, NO_ANNOTATIONS));

        patiently().until(() -> cluster.jobPhase("train").equals("Running"));
        assertThat(cluster.pods("train")).hasSize(4);
        assertThat(cluster.nodesOf("train")).containsOnly("vcjob-1", "vcjob-2").hasSize(4);
        patiently()
                .untilAsserted(
                        () -> assertThat(cluster.groupPhases("train")).containsSubsequence("Inqueue", "Running"));
        patiently().untilAsserted(() -> assertThat(last("train").getState()).isEqualTo(WorkloadState.RUNNING));
        assertThat(last("train").getBound()).isEqualTo(4);
    }

    @Test
    void aGangOfWhichOnePodIsRefusedIsTakenBackAndAnotherGetsTheRoom() {
        cluster.node("refusal", "refusal-1", 3);
        cluster.volcanoJob(
                "refusal",
                "refused",
                new Task("good", 2, NO_ANNOTATIONS),
                new Task("bad", 1, "{muster.dev/bind-error: no such image}"));
        // Its controller makes the pods anew; that does not hide why it waits.
        patiently()
                .untilAsserted(() -> assertThat(topics.statuses("refused"))
                        .last()
                        .satisfies(status -> {
                            assertThat(status.getState()).isEqualTo(WorkloadState.WAITING);
                            assertThat(status.getReason().getCode()).isEqualTo("BindRefused");
                            assertThat(status.getReason().getMessage()).contains("refused-bad-0", "no such image");
                            assertThat(status.getPods()).isEqualTo(3);
                            assertThat(status.getBound()).isZero();
                        }));

        cluster.volcanoJob("refusal", "second", new Task("worker", 3, NO_ANNOTATIONS));

        patiently().until(() -> cluster.jobPhase("second").equals("Running"));
        assertThat(cluster.nodesOf("second")).hasSize(3);
        patiently().untilAsserted(() -> assertThat(cluster.nodesOf("refused")).isEmpty());
        assertThat(cluster.bound()).noneMatch(bound -> bound.pod().equals("refused-bad-0"));
    }

    @Test
    void aGangWhosePodsWaitForTheirVolumesStartsWhenTheyAreThere() {
        cluster.node("volumes", "volumes-1", 2);
        cluster.node("volumes", "volumes-2", 2);
        cluster.storageClass("scratch", "60s");

        cluster.gangWithScratch("volumes", "deep", 4, "scratch");

        patiently().until(() -> cluster.running("deep") == 4);
        assertThat(cluster.nodesOf("deep"))
                .containsOnly("volumes-1", "volumes-2")
                .hasSize(4);
        for (JsonNode pod : cluster.pods("deep")) {
            JsonNode claim = cluster.claim(name(pod) + "-scratch");
            assertThat(claim.at("/status/phase").asText()).isEqualTo("Bound");
            assertThat(claim.at("/metadata/annotations")
                            .path("volume.kubernetes.io/selected-node")
                            .asText())
                    .isEqualTo(nodeOf(pod));
        }
        assertThat(last("deep").getAttempt()).as("placed once").isEqualTo(1);
    }

    @Test
    void podsThatWaitAreToldWhyOncePerReason() {
        cluster.node("waiting", "waiting-1", 3);
        cluster.lonePod("waiting", "first-0", 1);
        cluster.lonePod("waiting", "first-1", 1);
        patiently().until(() -> cluster.running("first") == 2);

        cluster.gang("waiting", "waiters", 3);
        awaitWaiting("waiters", "NotEnoughRoom", "has room for 1");
        cluster.simulated().kubelet().endPod("default", "first-0");
        awaitWaiting("waiters", "NotEnoughRoom", "has room for 2");
        patiently()
                .untilAsserted(() -> assertThat(cluster.pods("waiters"))
                        .allSatisfy(pod -> assertThat(roomEvents(pod)).hasSize(1)));

        cluster.cordon("waiting-1");

        awaitWaiting("waiters", "ExceedsCluster", "");
        patiently()
                .untilAsserted(() -> assertThat(cluster.pods("waiters"))
                        .allSatisfy(
                                pod -> assertThat(roomEvents(pod)).hasSize(2).doesNotHaveDuplicates()));
    }

    @Test
    void aPodMadeAnewWhileItsBindingIsUnderWayIsNotBoundAsTheOldOne() {
        cluster.node("anew", "anew-1", 2);
        Faults.Rule slow =
                cluster.faults().add("create", "pods/binding", "anew-worker-1", 1, new Delay(Duration.ofMillis(700)));
        cluster.volcanoJob("anew", "anew", new Task("worker", 2, NO_ANNOTATIONS));
        patiently().until(() -> slow.hits() == 1);
        String oldUid = uid(cluster.pod("anew-worker-1"));

        delete("anew-worker-1");

        patiently().until(() -> cluster.jobPhase("anew").equals("Running") && cluster.running("anew") == 2);
        assertThat(uid(cluster.pod("anew-worker-1"))).isNotEqualTo(oldUid);
        assertThat(cluster.bound()).noneMatch(bound -> bound.uid().equals(oldUid));
    }

    @Test
    void aPodMadeAnewAfterTheReplyToItsBindingWasLostIsDecidedAnew() {
        cluster.node("lost", "lost-1", 2);
        Faults.Rule lost = cluster.faults().add("create", "pods/binding", "lost-worker-0", 1, new LoseReply());
        Faults.Rule slow =
                cluster.faults().add("create", "pods/binding", "lost-worker-1", 1, new Delay(Duration.ofMillis(700)));
        cluster.volcanoJob("lost", "lost", new Task("worker", 2, NO_ANNOTATIONS));
        patiently()
                .until(() -> lost.hits() == 1
                        && slow.hits() == 1
                        && !nodeOf(cluster.pod("lost-worker-0")).isEmpty());
        String oldUid = uid(cluster.pod("lost-worker-0"));

        delete("lost-worker-0");

        patiently().until(() -> cluster.jobPhase("lost").equals("Running") && cluster.running("lost") == 2);
        assertThat(uid(cluster.pod("lost-worker-0"))).isNotEqualTo(oldUid);
    }

    /** The job's controller makes it anew at once, under the same name. */
    private void delete(String pod) {
        cluster.simulated().store().delete(ResourceKinds.PODS, "default", pod, DeleteOptions.NOW);
    }

    /** Waits until the status of a gang and the conditions of all its pods say this. */
    private void awaitWaiting(String gang, String code, String words) {
        patiently().untilAsserted(() -> {
            WorkloadStatus status = last(gang);
            assertThat(status.getReason().getCode()).isEqualTo(code);
            assertThat(status.getReason().getMessage()).contains(words);
            assertThat(cluster.pods(gang))
                    .hasSize(status.getPods())
                    .allSatisfy(pod -> assertThat(TestCluster.waitingBecause(pod))
                            .as(name(pod))
                            .isEqualTo(status.getReason().getMessage()));
        });
    }

    /** Events about room; not those from before all pods of the gang were there. */
    private List<String> roomEvents(JsonNode pod) {
        return cluster.failedScheduling(uid(pod)).stream()
                .filter(message -> message.contains("must start together"))
                .toList();
    }

    private WorkloadStatus last(String workload) {
        List<WorkloadStatus> statuses = topics.statuses(workload);
        assertThat(statuses).isNotEmpty();
        return statuses.getLast();
    }

    private static ConditionFactory patiently() {
        return await().pollInSameThread().atMost(Duration.ofSeconds(30));
    }
}
