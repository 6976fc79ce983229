package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpuShare;
import static dev.muster.scheduler.core.TestDomain.gpus;
import static dev.muster.scheduler.core.TestDomain.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** News that comes late, twice, from strangers, or in an order that nobody meant. Laws are checked after each entry. */
class OddOrdersTest {
    /** Resource version at which the binder saw the pods that it made. */
    private static final long CREATED_VERSION = 7;

    private static final GroupRef JOB = new GroupRef(WorkloadKind.JOB, "team/j");

    private final TestDomain domain = TestDomain.synced();

    @Test
    void theRoomOfAJobsPodThatCameAndWentIsFreeAfterARestartToo() {
        domain.node("n1", 4);
        submit(2, 2, gpus(1));
        Decision placed = domain.tick().getFirst();
        created(placed);
        jobPod(0, "n1", "Running");
        domain.phase("j-w-0", "Succeeded");
        domain.gone("j-w-0");
        domain.restart();
        jobPod(1, "n1", "Running");
        domain.phase("j-w-1", "Succeeded");
        domain.lonePod("big", 0, gpus(4));

        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("big");
        assertThat(job().state()).isEqualTo(WorkloadState.COMPLETED);
        assertThat(job().gpuMilli()).isZero();
    }

    @Test
    void aListThatWasReadBeforeAPodWasMadeDoesNotGiveItsRoomAway() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        domain.apply(new ResyncBegan(TestDomain.CLUSTER, Kinds.POD, 2));
        created(placed);
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 2, CREATED_VERSION - 1));
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 2, CREATED_VERSION - 1));

        assertThat(domain.tick()).as("however many are that old").isEmpty();

        domain.restart();
        domain.apply(new ResyncBegan(TestDomain.CLUSTER, Kinds.POD, 3));
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 3, CREATED_VERSION));
        assertThat(domain.tick())
                .as("a list as new as the pod does not show it: it is gone, and made anew")
                .hasSize(1);
    }

    @Test
    void aPodThatIsDeletedWhileItsDecisionIsOpenKeepsItsRoomSinceItMayBeMadeAgain() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        jobPod(0, "", "Pending");
        domain.gone("j-w-0");
        domain.lonePod("big", 9, gpus(1));
        domain.restart();

        assertThat(domain.tick()).isEmpty();

        domain.report(placed, Status.COMPENSATED, MemberStatus.GONE, false);
        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("big");
    }

    @Test
    void whatAPodLeavesWhileItsDecisionIsOpenIsHeldForOneMadeAnew() {
        domain.node("n1", 2);
        submit(2, 2, gpus(1));
        Decision placed = domain.tick().getFirst();
        jobPod(0, "", "Pending");
        domain.bound("j-w-0", "n1", "Running", placed.id().toString(), List.of(0));
        domain.restart();
        domain.phase("j-w-0", "Succeeded");
        domain.gone("j-w-0");
        domain.lonePod("big", 9, gpus(1));
        domain.restart();
        assertThat(domain.tick()).as("its place may be taken again").isEmpty();

        jobPodAnew("n1", "Running", placed, 1_000);
        domain.restart();
        jobPodAnew("n1", "Failed", placed, 1_001);
        assertThat(domain.tick())
                .as("and still, since nobody said what became of it")
                .isEmpty();

        report(placed, member -> member.index() == 0 ? "uid-again" : "uid-" + member.name());
        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("big");
        jobPod(1, "n1", "Running");
        domain.phase("j-w-1", "Succeeded");
        assertThat(job().state())
                .as("how the first one ended is how the place ended")
                .isEqualTo(WorkloadState.COMPLETED);
    }

    @Test
    void lateNewsOfAnEarlierPodThatWasBoundElsewhereDoesNotGiveTheRoomAway() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision first = domain.tick().getFirst();
        domain.report(first, Status.COMPENSATED, MemberStatus.GONE, false);
        domain.apply(new NodeGone(domain.origin("", "n1")));
        domain.node("n2", 1);
        domain.pass(60_000);
        assertThat(domain.tick()).as("made and bound, as far as anybody knows").hasSize(1);
        jobPod(0, "n1", "Running");
        domain.restart();
        domain.lonePod("big", 9, gpus(1));
        assertThat(domain.tick()).isEmpty();

        domain.gone("j-w-0");
        domain.restart();
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void whatAPodLeftIsFreeWhenItsBinderHadSeenNoOther() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        jobPod(0, "n1", "Running");
        domain.phase("j-w-0", "Succeeded");
        domain.lonePod("big", 0, gpus(1));
        domain.restart();
        assertThat(domain.tick()).isEmpty();

        created(placed);

        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("big");
    }

    @Test
    void aPodMadeAnewThatOnlyItsBinderHasSeenHasTheRoomOfTheFirst() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        jobPod(0, "n1", "Running");
        report(placed, member -> "uid-again");
        domain.restart();
        domain.gone("j-w-0");
        domain.lonePod("big", 0, gpus(1));
        assertThat(domain.tick()).isEmpty();

        jobPodAnew("n1", "Succeeded", placed, 1_000);
        domain.restart();

        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("big");
    }

    @Test
    void aPodThatIsSeenOnlyAfterItsDecisionWasTakenBackCountsOnceWhenALaterOneBindsIt() {
        domain.node("n1", 2);
        submit(1, 1, gpus(1));
        domain.report(domain.tick().getFirst(), Status.COMPENSATED, MemberStatus.RELEASED, false);
        jobPod(0, "", "Pending");
        domain.pass(60_000);
        Decision again = domain.tick().getFirst();
        domain.bound("j-w-0", "n1", "Running", again.id().toString(), List.of(0));
        domain.restart();

        assertThat(job().state()).isEqualTo(WorkloadState.RUNNING);
        domain.lonePod("other", 0, gpus(1));
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void aPodThatEndedBeforeItWasSeenBoundByALaterDecisionIsTheJobsOwn() {
        domain.node("n1", 2);
        submit(1, 1, gpus(1));
        domain.report(domain.tick().getFirst(), Status.COMPENSATED, MemberStatus.RELEASED, false);
        jobPod(0, "", "Pending");
        domain.pass(60_000);
        Decision again = domain.tick().getFirst();
        created(again);
        domain.bound("j-w-0", "n1", "Succeeded", again.id().toString(), List.of(0));
        domain.restart();
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 1, CREATED_VERSION));

        assertThat(job().state()).isEqualTo(WorkloadState.COMPLETED);
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void aPodMadeAnewTakesThePlaceOfOneWhoseDeletionWasMissed() {
        domain.node("n1", 2);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        jobPod(0, "", "Pending");
        PodChanged missed = domain.pods.get("j-w-0");
        created(placed);
        Origin later = new Origin(TestDomain.CLUSTER, 1, "ml", "j-w-0", "uid-again", 1_000);
        domain.apply(new PodChanged(later, pod(JOB, "w", 0, "", "n1", "Running")));
        domain.restart();
        domain.apply(new PodGone(missed.origin()));
        domain.apply(new PodChanged(
                new Origin(TestDomain.CLUSTER, 1, "ml", "j-w-0", "uid-again", 1_001),
                pod(JOB, "w", 0, "", "n1", "Succeeded")));

        assertThat(job().state()).isEqualTo(WorkloadState.COMPLETED);
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void listsUnderTheSameEpochFindWhatCameAndWentUnseenToo() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        created(domain.tick().getFirst());
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 1, CREATED_VERSION - 1));
        domain.restart();

        assertThat(domain.tick()).isEmpty();

        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 1, CREATED_VERSION + 1));
        assertThat(domain.tick()).hasSize(1);
        assertThat(domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.POD, 1, CREATED_VERSION + 2))
                        .applied())
                .as("nothing is held for anybody unseen any more")
                .isFalse();
    }

    @Test
    void whatIsLeftOfAJobRunsAfterThePodsThatEndedAreGone() {
        domain.node("n1", 1);
        submit(2, 1, gpus(1));
        created(domain.tick().getFirst());
        jobPod(0, "n1", "Running");
        domain.phase("j-w-0", "Succeeded");
        domain.node("n2", 1);
        domain.apply(new NodeGone(domain.origin("", "n1")));
        domain.gone("j-w-0");
        domain.restart();

        List<Decision> rest = domain.tick();

        assertThat(rest).hasSize(1);
        assertThat(members(rest.getFirst()).getFirst().name()).isEqualTo("j-w-1");
    }

    @Test
    void aPodThatChangesItsQueueWhileItIsBeingBoundKeepsItsRoom() {
        domain.node("n1", 1);
        domain.lonePod("x", 0, gpus(1));
        Decision placed = domain.tick().getFirst();
        domain.lonePod("y", 9, gpus(1));
        requeue("x", "other");
        assertThat(domain.tick()).isEmpty();
        domain.restart();
        domain.carryOut(placed);

        assertThat(domain.tick()).isEmpty();
        domain.gone("x");
        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("y");
    }

    @Test
    void aPodThatMovesToAnotherGangIsFencedWithAHigherNumberThere() {
        domain.node("n1", 1);
        domain.podGroup("a", 1);
        domain.gangPods("a", 1, gpus(1));
        Decision first = domain.tick().getFirst();
        domain.podGroup("b", 1);
        regroup("a-0", "b");
        domain.report(first, Status.COMPENSATED, MemberStatus.RELEASED, false);
        domain.pass(10_000);

        Decision second = domain.tick().getFirst();
        assertThat(second.workload().value()).endsWith("/b");
        assertThat(second.attempt()).isGreaterThan(first.attempt());
    }

    @Test
    void aPodMadeByAStrangerGetsNoPlaceInAJobBeforeOrAfterARestart() {
        domain.node("n1", 1);
        jobPod(0, "", "Pending");
        submit(1, 1, gpus(1));
        domain.restart();

        MemberPlacement member = members(domain.tick().getFirst()).getFirst();
        assertThat(member.name()).isEqualTo("j-w-0");
        assertThat(member.uid()).isEmpty();
    }

    @Test
    void aGroupMadeAnewGoesToTheEndOfTheQueueAfterARestartToo() {
        domain.node("n1", 1);
        domain.podGroup("g", 1);
        domain.gangPods("g", 1, gpus(1));
        domain.lonePod("other", 0, gpus(1));
        domain.apply(
                new GroupGone(new Origin(TestDomain.CLUSTER, 1, "ml", "g", "uid-g", 1_000), Kinds.VOLCANO_POD_GROUP));
        domain.restart();
        GroupFacts facts = new GroupFacts("", "", 1, List.of(), "", "", 0, 0);
        domain.apply(new GroupChanged(
                new Origin(TestDomain.CLUSTER, 1, "ml", "g", "another-uid", 1_001), Kinds.VOLCANO_POD_GROUP, facts));

        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("other");
    }

    @Test
    void ofTwoSettingsThoseWithTheFirstNameAreInForce() {
        domain.node("n1", 1);
        policy("b", 7_000);
        policy("a", 1_000);
        policy("b", 8_000);
        domain.lonePod("p", 0, gpus(1));

        Action.PlaceGang place = (Action.PlaceGang) domain.tick().getFirst().action();
        assertThat(place.deadlineMillis() - domain.engine().timeMillis()).isEqualTo(1_000);
    }

    @Test
    void aJobWithTooFewPlacesLeftHasFailed() {
        domain.node("n1", 2);
        submit(2, 2, gpus(1));
        created(domain.tick().getFirst());
        jobPod(0, "n1", "Running");
        jobPod(1, "n1", "Running");
        domain.phase("j-w-0", "Failed");
        domain.gone("j-w-1");

        assertThat(job().state()).isEqualTo(WorkloadState.FAILED);
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void aPodThatFailedBeforeItWasDeletedHasFailedAfterARestartToo() {
        domain.node("n1", 2);
        submit(2, 2, gpus(1));
        created(domain.tick().getFirst());
        jobPod(0, "n1", "Running");
        jobPod(1, "n1", "Running");
        domain.phase("j-w-0", "Failed");
        domain.deleting("j-w-0");
        domain.restart();
        domain.gone("j-w-0");
        domain.gone("j-w-1");

        assertThat(job().state()).isEqualTo(WorkloadState.FAILED);
    }

    @Test
    void aPodThatIsSeenOnlyAfterItsJobWasCancelledIsDeleted() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        domain.tick();
        List<Decision> cancel =
                domain.apply(new JobCancelled("team", "c2", "j", 0)).decisions();
        assertThat(cancel).hasSize(2);

        PodChanged late = jobPodEvent(0, "", "Pending");
        List<Decision> decisions = domain.apply(late).decisions();

        assertThat(decisions).hasSize(1);
        assertThat(decisions.getFirst().action()).isInstanceOf(Action.DeletePods.class);
        assertThat(members(decisions.getFirst()).getFirst().uid()).isEqualTo("uid-j-w-0");
    }

    @Test
    void aCancelledJobIsRememberedWhateverItsBinderSaysLater() {
        domain.node("n1", 1);
        submit(1, 1, gpus(1));
        Decision placed = domain.tick().getFirst();
        domain.apply(new JobCancelled("team", "c2", "j", 0));
        domain.report(placed, Status.COMPENSATED, MemberStatus.RELEASED, false);
        domain.pass(60_000);
        domain.tick();

        assertThat(job().state()).isEqualTo(WorkloadState.CANCELLED);
        assertThat(submit(1, 1, gpus(1))).as("the same job again").isFalse();
    }

    @Test
    void aClosedQueueIsClosedForJobsThatMayGoAnywhereToo() {
        domain.node("n1", 1);
        domain.apply(new PolicyChanged(
                domain.origin("", "research"),
                Kinds.VOLCANO_QUEUE,
                new Policy.Queue(1, "", true, List.of(), List.of(), List.of(), false, 0)));
        submit(1, 1, gpus(1));

        assertThat(domain.tick()).isEmpty();
        assertThat(job().reason().code()).isEqualTo(ReasonCodes.QUEUE_CLOSED);
    }

    @Test
    void sharesThatOthersTookWithoutADeviceAreCounted() {
        domain.lonePod("theirs", 0, gpuShare(500));
        domain.bound("theirs", "n1", "Running", "", List.of());
        domain.node("n1", 1);
        domain.lonePod("ours", 0, gpus(1));

        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void aGangLargerThanADecisionSaysSo() {
        TestDomain large = TestDomain.unchecked();
        large.podGroup("huge", 10_001);
        large.gangPods("huge", 10_001, gpus(1));
        large.tick();

        assertThat(large.status("huge").reason().code()).isEqualTo(ReasonCodes.GANG_TOO_LARGE);
    }

    // ---- what happens

    private boolean submit(int replicas, int minAvailable, Requirement requirement) {
        SubmittedJob.Task task = new SubmittedJob.Task("w", replicas, minAvailable, requirement, "hash");
        SubmittedJob job = new SubmittedJob("ml", "", "research", 0, minAvailable, List.of(task));
        return domain.apply(new JobSubmitted("team", "c1", "j", job, 0)).applied();
    }

    private WorkloadStatus job() {
        return domain.statuses.get("team/Job/j");
    }

    /** The binder says that it made and bound the pods; the cluster has not said so yet. */
    private void created(Decision decision) {
        report(decision, member -> "uid-" + member.name());
    }

    private void report(Decision decision, Function<MemberPlacement, String> uid) {
        List<MemberOutcome> outcomes = new ArrayList<>();
        for (MemberPlacement member : members(decision)) {
            outcomes.add(new MemberOutcome(
                    member.podSet(),
                    member.index(),
                    member.name(),
                    uid.apply(member),
                    MemberStatus.BOUND,
                    "",
                    "",
                    CREATED_VERSION));
        }
        domain.apply(new OutcomeReported(new DecisionOutcome(
                decision.id(), TestDomain.CLUSTER, decision.workload(), Status.BOUND, false, outcomes, 0)));
    }

    private void jobPod(int index, String node, String phase) {
        PodChanged event = jobPodEvent(index, node, phase);
        domain.pods.put(event.origin().name(), event);
        domain.apply(event);
    }

    private PodChanged jobPodEvent(int index, String node, String phase) {
        return new PodChanged(domain.origin("ml", "j-w-" + index), pod(JOB, "w", index, "", node, phase));
    }

    /** The first place's pod was made and bound once more. */
    private void jobPodAnew(String node, String phase, Decision decision, long resourceVersion) {
        Origin origin = new Origin(TestDomain.CLUSTER, 1, "ml", "j-w-0", "uid-again", resourceVersion);
        domain.apply(new PodChanged(
                origin, pod(JOB, "w", 0, "", node, phase, decision.id().toString())));
    }

    private void requeue(String pod, String queue) {
        domain.apply(new PodChanged(domain.origin("ml", pod), pod(null, "", -1, queue, "", "Pending")));
    }

    private void regroup(String pod, String group) {
        GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, group);
        domain.apply(new PodChanged(domain.origin("ml", pod), pod(ref, "", 0, "", "", "Pending")));
    }

    private static PodFacts pod(GroupRef group, String task, int index, String queue, String node, String phase) {
        return pod(group, task, index, queue, node, phase, node.isEmpty() ? "" : "1:0");
    }

    private static PodFacts pod(
            GroupRef group, String task, int index, String queue, String node, String phase, String decision) {
        return new PodFacts(
                "muster", true, phase, node, false, false, 0, true, group, task, index, queue, gpus(1), List.of(),
                decision, 0);
    }

    private void policy(String name, long bindTimeoutMillis) {
        domain.apply(new PolicyChanged(
                domain.origin("", name),
                Kinds.SCHEDULER_POLICY,
                new Policy.SchedulerPolicy("binpack", bindTimeoutMillis, 1_000, 300_000)));
    }
}
