package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DecisionLanesTest {

    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<String> published = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final DecisionLanes lanes = new DecisionLanes(
            this::carryOut,
            (outcome, halt) -> published.add(outcome.getDecisionId()),
            threads,
            new SimpleMeterRegistry());

    @AfterEach
    void end() {
        lanes.close(Duration.ZERO);
        threads.close();
    }

    @Test
    void decisionsOfOneWorkloadAreCarriedOutInOrder() {
        hold("d1");
        CompletableFuture<Void> first = lanes.submit(place("d1", "w"));
        CompletableFuture<Void> second = lanes.submit(place("d2", "w"));
        await().until(() -> begun.contains("d1"));
        assertThat(begun).containsExactly("d1");

        open("d1");

        CompletableFuture.allOf(first, second).join();
        assertThat(published).containsExactly("d1", "d2");
    }

    @Test
    void decisionsOfDifferentWorkloadsDoNotWaitForEachOther() {
        hold("d1");
        lanes.submit(place("d1", "w"));

        lanes.submit(place("d2", "other")).join();

        assertThat(published).containsExactly("d2");
        open("d1");
    }

    @Test
    void aRevokeStopsThePlacementThatItTakesBackAndThenRuns() {
        hold("d1");
        CompletableFuture<Void> placed = lanes.submit(place("d1", "w"));
        await().until(() -> begun.contains("d1"));

        lanes.submit(Decisions.decision("d2", "w", 2, Decisions.revoke("d1", 1)))
                .join();

        assertThat(placed).isCompleted();
        assertThat(published).containsExactly("d1", "d2");
    }

    @Test
    void aRevokeOfAnotherDecisionStopsNothing() {
        hold("d1");
        lanes.submit(place("d1", "w"));
        CompletableFuture<Void> revoked = lanes.submit(Decisions.decision("d2", "w", 2, Decisions.revoke("d0", 1)));
        await().until(() -> begun.contains("d1"));

        assertThat(revoked).isNotDone();
        open("d1");
        revoked.join();
    }

    @Test
    void deletingThePodsOfAJobStopsItsPlacement() {
        hold("d1");
        lanes.submit(place("d1", "w"));

        lanes.submit(Decisions.decision("d2", "w", 1, Decisions.delete())).join();

        assertThat(published).containsExactly("d1", "d2");
    }

    @Test
    void closingAbandonsWhatIsUnderWayAndWhatWaits() {
        hold("d1");
        CompletableFuture<Void> first = lanes.submit(place("d1", "w"));
        CompletableFuture<Void> second = lanes.submit(place("d2", "w"));

        lanes.close(Duration.ZERO);

        assertThat(List.of(first, second, lanes.submit(place("d3", "w"))))
                .allSatisfy(done -> assertThat(done)
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableThat()
                        .withCauseInstanceOf(AbandonedException.class));
        assertThat(published).isEmpty();
    }

    @Test
    void aDecisionThatCanNotBeCarriedOutTellsWhy() {
        DecisionLanes broken = new DecisionLanes(
                (decision, halt) -> {
                    throw new ClusterUnusableException(new ApiException(401, "", "Unauthorized", 0));
                },
                (outcome, halt) -> {},
                threads,
                new SimpleMeterRegistry());

        assertThat(broken.submit(place("d1", "w")))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(ClusterUnusableException.class);
    }

    private static Decision place(String id, String workload) {
        return Decisions.decision(id, workload, 1, Decisions.gangOf(1));
    }

    private void hold(String id) {
        gates.put(id, new CountDownLatch(1));
    }

    private void open(String id) {
        gates.get(id).countDown();
    }

    private Outcome carryOut(Decision decision, Halt halt) {
        begun.add(decision.getId());
        CountDownLatch gate = gates.get(decision.getId());
        if (gate != null) {
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> gate.getCount() == 0 || halt.isRevoked() || halt.isClosed());
        }
        halt.checkOpen();
        return Outcomes.of(decision, Decisions.CLUSTER, OutcomeStatus.BOUND, false, List.of(), 0);
    }
}
