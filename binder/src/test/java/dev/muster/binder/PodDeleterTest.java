package dev.muster.binder;

import static dev.muster.binder.Decisions.JOB;
import static dev.muster.binder.Decisions.decision;
import static dev.muster.binder.Decisions.delete;
import static dev.muster.binder.Decisions.member;
import static dev.muster.binder.Rig.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import org.junit.jupiter.api.Test;

class PodDeleterTest {

    private final Rig rig = Rig.withNodes(2);
    private final FakeCluster cluster = rig.cluster;

    @Test
    void deletesByUid() {
        cluster.addPod("p-0", "u-0");

        Outcome outcome = rig.carryOut(decision("d2", JOB, 1, delete(member(0, "u-0"))));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.DELETED);
        assertThat(statuses(outcome)).containsExactly("EVICTED");
        assertThat(cluster.now("p-0")).isEmpty();
    }

    @Test
    void deletesByNameWhatIsOfTheJob() {
        rig.carryOut(decision("d1", JOB, 1, Decisions.createdGangOf(2)));

        Outcome outcome = rig.carryOut(decision("d2", JOB, 1, delete(member(0, ""), member(1, ""))));

        assertThat(statuses(outcome)).containsExactly("EVICTED", "EVICTED");
        assertThat(outcome.getMembers().get(0).getUid()).isNotEmpty();
    }

    @Test
    void leavesAPodAloneThatALaterDecisionMadeUnderTheSameName() {
        rig.carryOut(decision("d3", JOB, 3, Decisions.createdGangOf(1)));

        Outcome late = rig.carryOut(decision("d2", JOB, 2, delete(member(0, ""))));

        assertThat(statuses(late)).containsExactly("GONE");
        assertThat(cluster.now("p-0")).isPresent();
    }

    @Test
    void leavesAStrangersPodOfTheSameNameAlone() {
        cluster.addPod("p-0", "stranger");

        Outcome byName = rig.carryOut(decision("d2", JOB, 1, delete(member(0, ""))));
        Outcome byUid = rig.carryOut(decision("d3", JOB, 1, delete(member(0, "u-0"))));

        assertThat(statuses(byName)).containsExactly("GONE");
        assertThat(statuses(byUid)).containsExactly("GONE");
        assertThat(cluster.now("p-0")).isPresent();
    }

    @Test
    void triesAgainUntilTheServerAnswers() {
        cluster.addPod("p-0", "u-0");
        cluster.on("delete p-0").answers(500, "etcd is away").times(50);

        assertThat(statuses(rig.carryOut(decision("d2", JOB, 1, delete(member(0, "u-0"))))))
                .containsExactly("EVICTED");
    }

    @Test
    void saysWhenADeletionIsRefused() {
        cluster.addPod("p-0", "u-0");
        cluster.on("delete p-0").answers(403, "protected").always();

        Outcome outcome = rig.carryOut(decision("d2", JOB, 1, delete(member(0, "u-0"))));

        assertThat(statuses(outcome)).containsExactly("RELEASED");
        assertThat(outcome.getMembers().get(0).getMessage()).isEqualTo("protected");
    }

    @Test
    void nothingToDeleteIsDone() {
        assertThat(rig.carryOut(decision("d2", JOB, 1, delete())).getStatus()).isEqualTo(OutcomeStatus.DELETED);
    }
}
