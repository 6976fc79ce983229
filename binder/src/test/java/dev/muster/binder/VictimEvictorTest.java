package dev.muster.binder;

import static dev.muster.binder.Decisions.GROUP;
import static dev.muster.binder.Decisions.decision;
import static dev.muster.binder.Decisions.evict;
import static dev.muster.binder.Decisions.victim;
import static dev.muster.binder.Rig.reasons;
import static dev.muster.binder.Rig.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import org.junit.jupiter.api.Test;

class VictimEvictorTest {

    private static final String OVER_BUDGET = "Cannot evict pod as it would violate the pod's disruption budget.";

    private final Rig rig = Rig.withPods(3);
    private final FakeCluster cluster = rig.cluster;
    private final Decision three =
            decision("d2", GROUP, 2, evict(victim(0, "u-0", "web"), victim(1, "u-1", "web"), victim(2, "u-2", "")));

    @Test
    void evictsByUid() {
        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTED);
        assertThat(statuses(outcome)).containsExactly("EVICTED", "EVICTED", "EVICTED");
        assertThat(cluster.callsOf("delete")).isZero();
    }

    @Test
    void withTheFirstRefusalTheRestIsLeftAlone() {
        cluster.on("evict p-0").answers(429, OVER_BUDGET).always();

        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTION_REFUSED);
        assertThat(statuses(outcome)).containsExactly("KEPT", "KEPT", "KEPT");
        assertThat(reasons(outcome)).containsExactly("DisruptionBudget", "LeftAlone", "LeftAlone");
        assertThat(cluster.callsOf("evict")).isEqualTo(1);
    }

    @Test
    void whatABudgetRefusesIsNeverDeleted() {
        cluster.on("evict p-1").answers(429, OVER_BUDGET).always();

        Outcome outcome = rig.carryOut(three);

        assertThat(statuses(outcome)).containsExactly("EVICTED", "KEPT", "KEPT");
        assertThat(cluster.callsOf("delete")).isZero();
        assertThat(cluster.now("p-1")).isPresent();
    }

    @Test
    void aServerThatIsBusyIsAskedAgain() {
        cluster.on("evict p-0").answersTryAgain(1_000).times(3);

        assertThat(rig.carryOut(three).getStatus()).isEqualTo(OutcomeStatus.EVICTED);
    }

    @Test
    void aLostReplyIsSettledByReading() {
        cluster.on("evict p-0").losesTheReply();

        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTED);
        assertThat(statuses(outcome)).containsExactly("GONE", "EVICTED", "EVICTED");
    }

    @Test
    void aPodThatIsGoneOrAnotherHasLeftAlready() {
        cluster.removePod("p-0");
        cluster.replacePod("p-1", "another");

        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTED);
        assertThat(statuses(outcome)).containsExactly("GONE", "GONE", "EVICTED");
        assertThat(cluster.now("p-1")).isPresent();
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUpAtTheDeadline() {
        cluster.on("evict p-0").getsLost().always();

        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTION_REFUSED);
        assertThat(reasons(outcome)).containsExactly("ServerError", "LeftAlone", "LeftAlone");
        assertThat(rig.clock.epochMillis()).isLessThanOrEqualTo(Decisions.DEADLINE_MILLIS + 5_000);
    }

    @Test
    void nothingIsEvictedAfterTheDeadline() {
        rig.clock.advance(31_000);

        Outcome outcome = rig.carryOut(three);

        assertThat(statuses(outcome)).containsExactly("KEPT", "KEPT", "KEPT");
        assertThat(cluster.callsOf("evict")).isZero();
    }

    @Test
    void whatIsTakenBackEvictsNobody() {
        Halt halt = new Halt();
        halt.revoke();

        Outcome outcome = rig.running().carryOut(three, halt);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.EVICTION_REFUSED);
        assertThat(cluster.callsOf("evict")).isZero();
    }

    @Test
    void aRefusalForGoodIsSaid() {
        cluster.on("evict p-0").answers(403, "protected").always();

        Outcome outcome = rig.carryOut(three);

        assertThat(outcome.getRefused()).isTrue();
        assertThat(reasons(outcome)).startsWith("Refused");
    }
}
