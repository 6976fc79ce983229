package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static dev.muster.scheduler.core.TestDomain.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.QuotaObject.Fungibility;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues that are emptied. Each step is also taken by an engine restored from the rows. */
class DrainTest {
    private final TestDomain domain = TestDomain.synced();
    private final QuotaObjects quota = new QuotaObjects(domain);

    @BeforeEach
    void queue() {
        domain.node("n1", 8);
        quota.flavor("any", Map.of());
        stop(StopPolicy.NONE);
        quota.localQueue("ml", "lq", "q");
        job("train", 2, 2);
    }

    @Test
    void whatRunsGoesWholeAndWaits() {
        domain.tick().forEach(domain::carryOut);
        stop(StopPolicy.HOLD_AND_DRAIN);

        Decision decision = theDecision();

        assertThat(victims(decision)).containsExactly("train-0", "train-1");
        Action.Evict evict = (Action.Evict) decision.action();
        assertThat(evict.reason()).isEqualTo("ClusterQueueStopped");
        assertThat(evict.victims()).allMatch(Action.Victim::whole);
        comeBack(decision);
        assertThat(tick()).isEmpty();
        assertThat(domain.statuses.get(decision.workload().value()).reason().code())
                .isEqualTo(ReasonCodes.ON_HOLD);
        stop(StopPolicy.NONE);
        assertThat(tick()).hasSize(1);
    }

    @Test
    void whatStaysIsAskedForAgainAfterAWhile() {
        domain.tick().forEach(domain::carryOut);
        stop(StopPolicy.HOLD_AND_DRAIN);
        domain.reportEviction(theDecision(), Status.EVICTION_REFUSED, MemberStatus.KEPT);

        domain.pass(59_000);
        assertThat(tick()).isEmpty();
        domain.pass(1_001);
        assertThat(victims(theDecision())).containsExactly("train-0", "train-1");
    }

    @Test
    void aGangThatIsBeingBoundIsWaitedFor() {
        List<Decision> placed = domain.tick();
        stop(StopPolicy.HOLD_AND_DRAIN);

        assertThat(tick()).isEmpty();
        placed.forEach(domain::carryOut);
        assertThat(victims(theDecision())).containsExactly("train-0", "train-1");
    }

    @Test
    void aQueueThatIsOnlyHeldKeepsWhatRuns() {
        domain.tick().forEach(domain::carryOut);
        stop(StopPolicy.HOLD);

        assertThat(tick()).isEmpty();
    }

    private void comeBack(Decision decision) {
        for (String pod : victims(decision)) {
            domain.deleting(pod);
        }
        domain.reportEviction(decision, Status.EVICTED, MemberStatus.EVICTED);
        for (int i = 0; i < 2; i++) {
            domain.gone("train-" + i);
            pod("train", i, 2);
        }
    }

    private void job(String name, int pods, int gpus) {
        domain.batchJob(name, pods, "lq", pods);
        for (int i = 0; i < pods; i++) {
            pod(name, i, gpus);
        }
    }

    private void pod(String job, int index, int gpus) {
        GroupRef ref = new GroupRef(WorkloadKind.BATCH_JOB, job);
        domain.pod("ml", job + "-" + index, ref, "", index, 0, gpus(gpus), Map.of());
    }

    private void stop(StopPolicy stop) {
        quota.queue("q", "", false, stop, Fungibility.DEFAULT, Preemption.NEVER, QuotaObjects.gpus("any", 8, -1, -1));
    }

    private Decision theDecision() {
        List<Decision> decisions = tick();
        assertThat(decisions).hasSize(1);
        return decisions.getFirst();
    }

    /** The same round by a restored engine and by this one. */
    private List<Decision> tick() {
        domain.restart();
        return domain.tick();
    }
}
