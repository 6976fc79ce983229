package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.Reason;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.serde.AvroSerde;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartEstimateTest {
    static {
        AvroSerde.trustGeneratedClasses();
    }

    private static final long NOW = 10_000_000;
    private static final long HOUR = 3_600_000;

    @Test
    void eachThatEndsMakesRoomForOne() {
        List<WorkloadStatus> queue = new ArrayList<>();
        queue.add(status(WorkloadState.RUNNING, "", 0, NOW - 2 * HOUR));
        for (int i = 1; i <= 4; i++) {
            queue.add(status(WorkloadState.COMPLETED, "", NOW - 2 * HOUR, NOW - i * 600_000));
        }
        WorkloadStatus waiting = status(WorkloadState.WAITING, "NotEnoughRoom", NOW - 1_000, NOW - 1_000);

        StartEstimate estimate = new StartEstimate(queue, NOW);

        // Four in an hour: one in 15 minutes.
        assertThat(estimate.startMillis(waiting, 1)).contains(NOW + 900_000);
        assertThat(estimate.startMillis(waiting, 3)).contains(NOW + 2_700_000);
    }

    @Test
    void aQueueThatIsKnownForLessThanAnHourIsJudgedByThat() {
        List<WorkloadStatus> queue = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            queue.add(status(WorkloadState.FAILED, "", NOW - 60_000, NOW - 1_000));
        }

        StartEstimate estimate = new StartEstimate(queue, NOW);

        assertThat(estimate.startMillis(status(WorkloadState.WAITING, "WaitingForQuota", NOW, NOW), 1))
                .contains(NOW + 20_000);
        assertThat(estimate.basis()).isEqualTo("3 ended in the last 60 s");
    }

    @Test
    void nothingIsSaidWithoutThreeEndsOrWhereEndsDoNotHelp() {
        List<WorkloadStatus> queue = new ArrayList<>();
        queue.add(status(WorkloadState.COMPLETED, "", NOW - HOUR, NOW - 1_000));
        queue.add(status(WorkloadState.COMPLETED, "", NOW - HOUR, NOW - 1_000));
        WorkloadStatus waiting = status(WorkloadState.WAITING, "NotEnoughRoom", NOW, NOW);
        assertThat(new StartEstimate(queue, NOW).startMillis(waiting, 1)).isEmpty();

        queue.add(status(WorkloadState.COMPLETED, "", NOW - HOUR, NOW - 1_000));
        StartEstimate estimate = new StartEstimate(queue, NOW);
        assertThat(estimate.startMillis(waiting, 1)).isPresent();
        assertThat(estimate.startMillis(status(WorkloadState.WAITING, "ExceedsCluster", NOW, NOW), 1))
                .isEmpty();
        assertThat(estimate.startMillis(status(WorkloadState.INCOMPLETE, "PodsMissing", NOW, NOW), 1))
                .isEmpty();
    }

    @Test
    void deadlinesOfThoseThatRunBoundTheWait() {
        List<WorkloadStatus> queue = new ArrayList<>();
        for (long endsBy : new long[] {NOW + 600_000, 0, NOW + 300_000, NOW - 5_000}) {
            WorkloadStatus runs = status(WorkloadState.RUNNING, "", NOW - HOUR, NOW - HOUR);
            runs.setEndsByMillis(endsBy);
            queue.add(runs);
        }
        WorkloadStatus waiting = status(WorkloadState.WAITING, "NotEnoughRoom", NOW, NOW);

        StartEstimate estimate = new StartEstimate(queue, NOW);

        assertThat(estimate.startMillis(waiting, 1)).contains(NOW);
        assertThat(estimate.startMillis(waiting, 2)).contains(NOW + 300_000);
        assertThat(estimate.startMillis(waiting, 3)).contains(NOW + 600_000);
        assertThat(estimate.startMillis(waiting, 4))
                .as("nothing bounds the fourth")
                .isEmpty();
        assertThat(estimate.basis()).contains("deadlines bound 3 that run");
        for (int i = 0; i < 60; i++) {
            queue.add(status(WorkloadState.COMPLETED, "", NOW - HOUR, NOW - 1_000));
        }
        assertThat(new StartEstimate(queue, NOW).startMillis(waiting, 2))
                .as("the rate says earlier")
                .contains(NOW + 120_000);
    }

    private static WorkloadStatus status(WorkloadState state, String code, long arrived, long since) {
        return WorkloadStatus.newBuilder()
                .setDomain("main")
                .setWorkload("c/ml/Pod/p/u")
                .setKind("Pod")
                .setCluster("c")
                .setNamespace("ml")
                .setName("p")
                .setObject("p")
                .setQueue("team")
                .setPriority(0)
                .setState(state)
                .setReason(new Reason(code, "", List.of()))
                .setMinMember(1)
                .setPods(1)
                .setBound(0)
                .setAttempt(0)
                .setArrivedMillis(arrived)
                .setSinceMillis(since)
                .build();
    }
}
