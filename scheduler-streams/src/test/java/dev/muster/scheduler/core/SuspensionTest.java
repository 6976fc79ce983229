package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static dev.muster.scheduler.core.TestDomain.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.RevokeReason;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobResumed;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.JobSuspended;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submitted jobs that are suspended and resumed. Each step is also taken by an engine restored from the rows. */
class SuspensionTest {
    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void node() {
        domain.node("n1", 2);
    }

    @Test
    void aJobThatRunsGivesItsRoomToOthersAndQueuesAnew() {
        submit("a", false);
        run("a", domain.tick().getFirst());
        submit("b", false);

        Decision delete = suspend("a").getFirst();

        assertThat(delete.action()).isInstanceOf(Action.DeletePods.class);
        assertThat(((Action.DeletePods) delete.action()).reason()).isEqualTo("Suspended");
        assertThat(members(delete)).extracting(Action.MemberPlacement::uid).containsExactly("uid-a-w-0", "uid-a-w-1");
        assertThat(job("a").state()).isEqualTo(WorkloadState.SUSPENDED);
        assertThat(job("a").reason().code()).isEqualTo(ReasonCodes.SUSPENDED);
        assertThat(job("a").reason().message()).contains("2 of its pods have room until they are gone");
        assertThat(tick()).as("room is free when pods are gone").isEmpty();

        domain.gone("a-w-0");
        domain.gone("a-w-1");
        Decision other = tick().getFirst();
        assertThat(other.workload().value()).isEqualTo("team/Job/b");
        run("b", other);
        assertThat(job("a").reason().message()).isEqualTo("its tenant suspended it");

        submit("c", false);
        resume("a");
        assertThat(tick()).isEmpty();
        assertThat(job("a").state()).isEqualTo(WorkloadState.WAITING);
        suspend("b");
        domain.gone("b-w-0");
        domain.gone("b-w-1");
        assertThat(tick().getFirst().workload().value())
                .as("who stepped aside comes behind those that queued meanwhile")
                .isEqualTo("team/Job/c");
    }

    @Test
    void aPlacementOnItsWayIsTakenBackAndIsNoFailure() {
        submit("a", false);
        Decision placed = domain.tick().getFirst();

        List<Decision> decisions = suspend("a");

        assertThat(decisions)
                .extracting(decision -> decision.action().getClass().getSimpleName())
                .containsExactly("Revoke", "DeletePods");
        assertThat(((Action.Revoke) decisions.getFirst().action()).reason()).isEqualTo(RevokeReason.SUSPENDED);
        domain.report(placed, Status.COMPENSATED, MemberStatus.RELEASED, false);
        resume("a");
        Decision again = tick().getFirst();
        assertThat(members(again)).hasSize(2);
        assertThat(job("a").state()).isEqualTo(WorkloadState.PLACED);
    }

    @Test
    void aPodThatIsSeenOnlyAfterwardsIsDeleted() {
        submit("a", false);
        domain.tick();
        suspend("a");

        List<Decision> decisions = domain.apply(podOf("a", 0, "", "Pending")).decisions();

        assertThat(decisions).hasSize(1);
        assertThat(members(decisions.getFirst()).getFirst().uid()).isEqualTo("uid-a-w-0");
    }

    @Test
    void whatIsSubmittedSuspendedStartsWhenItIsResumed() {
        submit("a", true);
        assertThat(tick()).isEmpty();
        assertThat(job("a").state()).isEqualTo(WorkloadState.SUSPENDED);
        assertThat(domain.apply(new JobSuspended("team", "c", "a", 0)).applied())
                .as("again")
                .isFalse();

        resume("a");

        assertThat(tick()).hasSize(1);
        assertThat(domain.apply(new JobResumed("team", "c", "a", 0)).applied())
                .as("again")
                .isFalse();
    }

    @Test
    void whatEndedWellStaysDoneAndTheRestGoesOn() {
        submit("a", false);
        run("a", domain.tick().getFirst());
        domain.phase("a-w-0", "Succeeded");
        suspend("a");
        domain.gone("a-w-0");
        domain.gone("a-w-1");

        resume("a");

        assertThat(members(tick().getFirst()))
                .extracting(Action.MemberPlacement::name)
                .containsExactly("a-w-1");
    }

    @Test
    void aSuspendedJobCanBeCancelledAndIsNotResumedThen() {
        submit("a", true);
        domain.apply(new JobCancelled("team", "c", "a", 0));

        assertThat(domain.apply(new JobResumed("team", "c", "a", 0)).applied()).isFalse();
        assertThat(job("a").state()).isEqualTo(WorkloadState.CANCELLED);
    }

    // ---- what happens

    private void submit(String name, boolean suspended) {
        SubmittedJob.Task task = new SubmittedJob.Task("w", 2, 2, gpus(1), "hash");
        SubmittedJob job = new SubmittedJob("ml", "", "research", 0, 2, List.of(task), null, suspended);
        domain.apply(new JobSubmitted("team", "submit-" + name, name, job, 0));
    }

    private List<Decision> suspend(String name) {
        List<Decision> decisions =
                domain.apply(new JobSuspended("team", "c", name, 0)).decisions();
        domain.restart();
        return decisions;
    }

    private void resume(String name) {
        domain.apply(new JobResumed("team", "c", name, 0));
        domain.restart();
    }

    private List<Decision> tick() {
        domain.restart();
        return domain.tick();
    }

    /** The binder made and bound the pods, and the cluster says so. */
    private void run(String name, Decision placed) {
        for (int index = 0; index < 2; index++) {
            PodChanged event = podOf(name, index, "n1", "Running");
            domain.pods.put(event.origin().name(), event);
            domain.apply(event);
        }
        List<MemberOutcome> outcomes = members(placed).stream()
                .map(member -> new MemberOutcome(
                        member.podSet(),
                        member.index(),
                        member.name(),
                        "uid-" + member.name(),
                        MemberStatus.BOUND,
                        "",
                        "",
                        1))
                .toList();
        domain.apply(new OutcomeReported(new DecisionOutcome(
                placed.id(), TestDomain.CLUSTER, placed.workload(), Status.BOUND, false, outcomes, 0)));
    }

    private PodChanged podOf(String name, int index, String node, String phase) {
        GroupRef ref = new GroupRef(WorkloadKind.JOB, "team/" + name);
        String decision = node.isEmpty()
                ? ""
                : domain.statuses.get("team/Job/" + name).decision().toString();
        return new PodChanged(
                domain.origin("ml", name + "-w-" + index),
                new PodFacts(
                        "muster", true, phase, node, false, false, 0, true, ref, "w", index, "", gpus(1), List.of(),
                        decision, 0));
    }

    private WorkloadStatus job(String name) {
        return domain.statuses.get("team/Job/" + name);
    }
}
