package dev.muster.binder;

import static dev.muster.binder.Decisions.GROUP;
import static dev.muster.binder.Decisions.decision;
import static dev.muster.binder.Decisions.revoke;
import static dev.muster.binder.Rig.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import org.junit.jupiter.api.Test;

class RevokerTest {

    private static final Decision PLACE = decision("d1", GROUP, 1, Decisions.gangOf(3));
    private static final Decision REVOKE = decision("d2", GROUP, 2, revoke("d1", 3));

    private final Rig rig = Rig.withPods(3);
    private final FakeCluster cluster = rig.cluster;

    @Test
    void evictsWhatTheRevokedDecisionBound() {
        rig.carryOut(PLACE);

        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.REVOKED);
        assertThat(statuses(outcome)).containsOnly("EVICTED");
        assertThat(cluster.callsOf("evict")).isEqualTo(3);
    }

    @Test
    void fencesUnboundPodsSoThatTheRevokedDecisionIsSuperseded() {
        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(statuses(outcome)).containsOnly("RELEASED");
        assertThat(cluster.now("p-0").orElseThrow().attempt()).isEqualTo(2);
        assertThat(rig.carryOut(PLACE).getStatus()).isEqualTo(OutcomeStatus.SUPERSEDED);
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void letsTheNextAttemptThrough() {
        rig.carryOut(REVOKE);

        assertThat(rig.carryOut(decision("d3", GROUP, 3, Decisions.gangOf(3))).getStatus())
                .isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void leavesPodsAloneThatAnotherDecisionBound() {
        rig.carryOut(decision("d0", GROUP, 1, Decisions.gangOf(3)));

        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(statuses(outcome)).containsOnly("RELEASED");
        assertThat(cluster.now("p-0").orElseThrow().node()).isEqualTo("n-0");
    }

    @Test
    void reportsPodsThatAreGoneOrReplaced() {
        cluster.removePod("p-0");
        cluster.replacePod("p-1", "another");

        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(statuses(outcome)).containsExactly("GONE", "GONE", "RELEASED");
        assertThat(cluster.now("p-1").orElseThrow().attempt()).isEqualTo(-1);
    }

    @Test
    void aBindThatOvertakesTheFenceIsEvicted() {
        cluster.on("annotate p-0").after(() -> {
            cluster.annotateBySomebody("p-0", Marks.DECISION, "d1");
            cluster.bindBySomebody("p-0", "n-0");
        });

        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(statuses(outcome)).containsExactly("EVICTED", "RELEASED", "RELEASED");
        assertThat(cluster.now("p-0")).isEmpty();
    }

    @Test
    void anEvictionThatStaysForbiddenIsForcedInTheEnd() {
        rig.carryOut(PLACE);
        cluster.on("evict *").answers(429, "disruption budget").always();

        assertThat(statuses(rig.carryOut(REVOKE))).containsOnly("EVICTED");
        assertThat(cluster.callsOf("delete")).isEqualTo(3);
        assertThat(rig.clock.epochMillis()).isGreaterThanOrEqualTo(FakeClock.START_MILLIS + 30_000);
    }

    @Test
    void anEvictionThatIsForbiddenForAWhileIsAskedForAgain() {
        rig.carryOut(PLACE);
        cluster.on("evict p-0").answers(429, "disruption budget").times(4);

        rig.carryOut(REVOKE);

        assertThat(cluster.callsOf("delete")).isZero();
        assertThat(cluster.calls).filteredOn("evict p-0"::equals).hasSize(5);
    }

    @Test
    void anEvictionHitsOnlyThePodItIsMeantFor() {
        rig.carryOut(PLACE);
        cluster.on("evict p-0").after(() -> cluster.replacePod("p-0", "another"));

        assertThat(statuses(rig.carryOut(REVOKE))).containsExactly("GONE", "EVICTED", "EVICTED");
        assertThat(cluster.now("p-0").orElseThrow().uid()).isEqualTo("another");
    }

    @Test
    void waitsForAnApiServerThatIsAwayForAnHour() {
        cluster.on("get p-0").getsLost().times(2_000);

        assertThat(rig.carryOut(REVOKE).getStatus()).isEqualTo(OutcomeStatus.REVOKED);
        assertThat(rig.clock.epochMillis()).isGreaterThan(FakeClock.START_MILLIS + 1_800_000);
    }

    @Test
    void saysSoWhenAPodCanNeitherBeEvictedNorDeleted() {
        rig.carryOut(PLACE);
        cluster.on("evict p-0").answers(403, "no");
        cluster.on("delete p-0").answers(403, "no");

        Outcome outcome = rig.carryOut(REVOKE);

        assertThat(statuses(outcome)).containsExactly("BOUND", "EVICTED", "EVICTED");
        assertThat(outcome.getMembers().get(0).getReason()).isEqualTo("Refused");
    }
}
