package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.decision.Reason;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.serde.AvroSerde;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusWriterTest {
    static {
        AvroSerde.trustGeneratedClasses();
    }

    private final Rig rig = Rig.withPods(2);
    private final FakeCluster cluster = rig.cluster;
    private StatusWriter writer = writer(10);

    @Test
    void podsThatWaitGetAConditionAndOneEvent() throws InterruptedException {
        write(waiting("NoRoom", "0/8 nodes have 4 free GPUs", 1_000));

        PodCondition condition =
                cluster.object("p-0").getStatus().getConditions().get(0);
        assertThat(condition.getReason()).isEqualTo("Unschedulable");
        assertThat(condition.getStatus()).isEqualTo("False");
        assertThat(condition.getMessage()).isEqualTo("0/8 nodes have 4 free GPUs");
        assertThat(cluster.events).hasSize(2).allSatisfy(event -> {
            assertThat(event.getReason()).isEqualTo("FailedScheduling");
            assertThat(event.getInvolvedObject().getUid()).startsWith("u-");
        });
    }

    @Test
    void theSameReasonIsNotToldTwice() throws InterruptedException {
        write(waiting("NoRoom", "no room", 1_000));
        int calls = cluster.calls.size();

        write(waiting("NoRoom", "no room", 1_000));

        assertThat(cluster.calls).hasSize(calls);
    }

    @Test
    void anotherMessageForTheSameReasonChangesTheConditionButMakesNoEvent() throws InterruptedException {
        write(waiting("NoRoom", "2 GPUs are free", 1_000));
        write(waiting("NoRoom", "3 GPUs are free", 1_000));

        assertThat(cluster.events).hasSize(2);
        assertThat(cluster.object("p-0").getStatus().getConditions().get(0).getMessage())
                .isEqualTo("3 GPUs are free");
    }

    @Test
    void anotherReasonMakesAnotherEvent() throws InterruptedException {
        write(waiting("NoRoom", "no room", 1_000));
        write(waiting("NodesCordoned", "all nodes are cordoned", 2_000));

        assertThat(cluster.events).hasSize(4);
    }

    @Test
    void aWriterThatStartsAgainTellsNothingTwice() throws InterruptedException {
        write(waiting("NoRoom", "no room", 1_000));
        writer = writer(10);

        write(waiting("NoRoom", "no room", 1_000));

        assertThat(cluster.events).hasSize(2);
        assertThat(cluster.callsOf("condition")).isEqualTo(2);
    }

    @Test
    void podsThatAreBoundOrGoneAreNotTold() throws InterruptedException {
        cluster.bindBySomebody("p-0", "n-0");
        cluster.removePod("p-1");

        write(waiting("NoRoom", "no room", 1_000));

        assertThat(cluster.events).isEmpty();
    }

    @Test
    void statusesOfOtherClustersAreNotWritten() throws InterruptedException {
        WorkloadStatus elsewhere = waiting("NoRoom", "no room", 1_000);
        elsewhere.setCluster("west");

        writer.take("main/" + elsewhere.getWorkload(), elsewhere);

        assertThat(writer.backlog()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "INCOMPLETE, Inqueue",
        "WAITING, Inqueue",
        "PLACED, Inqueue",
        "RUNNING, Running",
        "COMPLETED, Completed",
        "FAILED, Pending"
    })
    void aVolcanoPodGroupGetsThePhaseOfItsState(WorkloadState state, String phase) throws InterruptedException {
        cluster.podGroup("train", "Pending");
        WorkloadStatus status = waiting("", "", 1_000);
        status.setState(state);

        write(status);

        assertThat(cluster.podGroups.get("train").phase()).isEqualTo(phase);
    }

    @Test
    void aPodGroupThatRunsInPartIsUnknown() throws InterruptedException {
        cluster.podGroup("train", "Running");
        WorkloadStatus status = waiting("NotEnoughRoom", "no room", 1_000);
        status.setBound(1);

        write(status);

        assertThat(cluster.podGroups.get("train").phase()).isEqualTo("Unknown");
    }

    @Test
    void aPodGroupSaysWhyItWaitsInVolcanosWords() throws InterruptedException {
        cluster.podGroup("train", "Pending");

        write(waiting("NotEnoughRoom", "no room", 1_000));

        assertThat(cluster.podGroups.get("train").conditions())
                .containsExactly(new PodGroupStatus.Condition(
                        "Unschedulable",
                        "True",
                        "NotEnoughRoom@1000",
                        "1970-01-01T00:00:01Z",
                        "NotEnoughResources",
                        "no room"));
        WorkloadStatus running = waiting("", "", 2_000);
        running.setState(WorkloadState.RUNNING);
        write(running);
        assertThat(cluster.podGroups.get("train").conditions())
                .extracting(PodGroupStatus.Condition::type)
                .containsExactly("Scheduled");
    }

    @Test
    void aPodGroupOfALocalQueueHasKueuesConditionsToo() throws InterruptedException {
        cluster.podGroup("train", "Running");
        WorkloadStatus status = waiting("WaitingForQuota", "too little quota", 5_000);
        status.setLocalQueue("team");
        status.setQueue("gpus");
        status.setEvictedFor("c/ml/Pod/urgent/u");
        status.setEvictedReason("InCohortReclamation");
        status.setEvictedMillis(4_000);

        write(status);

        assertThat(cluster.podGroups.get("train").conditions())
                .extracting(condition -> condition.type() + "=" + condition.status() + " " + condition.reason())
                .containsExactly(
                        "Unschedulable=True NotEnoughResources",
                        "QuotaReserved=False Pending",
                        "Admitted=False NoReservation",
                        "Evicted=True Preempted",
                        "Preempted=True InCohortReclamation",
                        "Requeued=True Preempted");
    }

    @Test
    void thatAGangIsPlacedIsToldWhenItRuns() throws InterruptedException {
        cluster.podGroup("train", "Pending");
        write(waiting("NotEnoughRoom", "no room", 1_000));
        WorkloadStatus placed = waiting("", "", 2_000);
        placed.setState(WorkloadState.PLACED);
        write(placed);

        assertThat(cluster.callsOf("set-group")).isEqualTo(1);
    }

    @Test
    void aPhaseIsWrittenOnceForOneReason() throws InterruptedException {
        cluster.podGroup("train", "");
        write(waiting("", "one", 1_000));
        write(waiting("", "two", 1_000));

        assertThat(cluster.callsOf("set-group")).isEqualTo(1);
        assertThat(cluster.callsOf("group")).isEqualTo(1);
    }

    @Test
    void aBusyServerIsTriedAgain() throws InterruptedException {
        cluster.on("event p-0").answers(503, "busy").times(3);

        write(waiting("NoRoom", "no room", 1_000));

        assertThat(cluster.events).hasSize(2);
    }

    @Test
    void aStatusThatIsSupersededIsGivenUp() throws InterruptedException {
        WorkloadStatus newer = waiting("NodesCordoned", "all nodes are cordoned", 2_000);
        cluster.on("condition p-0").answers(503, "busy").after(() -> put(newer)).times(1_000);

        write(waiting("NoRoom", "no room", 1_000));

        assertThat(cluster.events).isEmpty();
        assertThat(writer.backlog()).isEqualTo(1);
    }

    @Test
    void aRefusedStatusIsDroppedAndTheNextGoesOn() throws InterruptedException {
        cluster.on("condition p-0").answers(403, "no");

        write(waiting("NoRoom", "no room", 1_000));
        write(waiting("NodesCordoned", "all nodes are cordoned", 2_000));

        assertThat(cluster.events).hasSize(2);
    }

    @Test
    void ofAWorkloadOnlyTheNewestStatusWaits() {
        put(waiting("NoRoom", "no room", 1_000));
        put(waiting("NodesCordoned", "all nodes are cordoned", 2_000));

        assertThat(writer.backlog()).isEqualTo(1);
    }

    @Test
    void whoBringsStatusesWaitsWhileTooManyWait() throws InterruptedException {
        writer = writer(1);
        put(waiting("NoRoom", "no room", 1_000));
        WorkloadStatus other = waiting("NoRoom", "no room", 1_000);
        other.setWorkload("east/ml/VolcanoPodGroup/other");

        CompletableFuture<Void> brought = CompletableFuture.runAsync(() -> put(other));
        writer.writeNext();

        await().untilAsserted(() -> assertThat(brought).isCompleted());
    }

    @Test
    void closingEndsTheWriterAndWhoWaitsForIt() {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(writer::run);

        writer.close();

        await().untilAsserted(() -> assertThat(writing).isCompleted());
        assertThatThrownBy(() -> put(waiting("NoRoom", "no room", 1_000))).isInstanceOf(AbandonedException.class);
    }

    @Test
    void aTombstoneForgetsTheWorkload() throws InterruptedException {
        put(waiting("NoRoom", "no room", 1_000));

        writer.take("main/" + Decisions.GROUP, null);

        assertThat(writer.backlog()).isZero();
    }

    private StatusWriter writer(int backlog) {
        return new StatusWriter(
                cluster,
                cluster.view,
                Decisions.CLUSTER,
                Patience.Spacing.of(rig.clock, BinderConfig.defaults()),
                backlog);
    }

    private void write(WorkloadStatus status) throws InterruptedException {
        put(status);
        writer.writeNext();
    }

    private void put(WorkloadStatus status) {
        try {
            writer.take("main/" + status.getWorkload(), status);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static WorkloadStatus waiting(String code, String message, long sinceMillis) {
        return WorkloadStatus.newBuilder()
                .setDomain(Decisions.DOMAIN)
                .setWorkload(Decisions.GROUP)
                .setKind("VolcanoPodGroup")
                .setCluster(Decisions.CLUSTER)
                .setNamespace(FakeCluster.NAMESPACE)
                .setName("train")
                .setObject("train")
                .setQueue("default")
                .setPriority(0)
                .setState(WorkloadState.WAITING)
                .setReason(new Reason(code, message, List.of()))
                .setMinMember(2)
                .setPods(2)
                .setBound(0)
                .setWaitingPods(List.of("p-0", "p-1"))
                .setAttempt(1)
                .setArrivedMillis(0)
                .setSinceMillis(sinceMillis)
                .build();
    }
}
