package dev.muster.binder;

import static dev.muster.binder.Decisions.GROUP;
import static dev.muster.binder.Decisions.createdGangOf;
import static dev.muster.binder.Decisions.decision;
import static dev.muster.binder.Decisions.gangOf;
import static dev.muster.binder.Decisions.surplusOf;
import static dev.muster.binder.Rig.reasons;
import static dev.muster.binder.Rig.statuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.NumaPlacement;
import dev.muster.schemas.common.NumaShare;
import dev.muster.schemas.common.Toleration;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GangBinderTest {

    private static final Decision GANG = decision("d1", GROUP, 1, gangOf(3));
    private static final Decision SURPLUS = decision("d1", GROUP, 1, surplusOf(3));
    private static final Decision CREATED = decision("d1", Decisions.JOB, 1, createdGangOf(3));

    private final Rig rig = Rig.withPods(3);
    private final FakeCluster cluster = rig.cluster;

    @Test
    void bindsEveryMemberWithOneCallEach() {
        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(statuses(outcome)).containsExactly("BOUND", "BOUND", "BOUND");
        assertThat(cluster.calls).containsExactlyInAnyOrder("bind p-0", "bind p-1", "bind p-2");
        assertThat(cluster.now("p-2").orElseThrow().node()).isEqualTo("n-2");
    }

    @Test
    void writesDecisionAttemptAndDevicesWithTheBinding() {
        var place = gangOf(1);
        place.getNodes().get(0).getMembers().get(0).setDevices(List.of(0, 3));
        place.getNodes().get(0).getMembers().get(0).setNuma(0);
        place.setNumaPlacements(List.of(new NumaPlacement(List.of(
                new NumaShare("node-0", "cpu", 8000L),
                new NumaShare("node-0", "nvidia.com/gpu", 1L),
                new NumaShare("node-1", "nvidia.com/gpu", 1L)))));

        rig.carryOut(decision("d7", GROUP, 4, place));

        assertThat(cluster.object("p-0").getMetadata().getAnnotations())
                .containsEntry(Marks.DECISION, "d7")
                .containsEntry(Marks.ATTEMPT, "4")
                .containsEntry(Marks.GPU_DEVICES, "0,3")
                .containsEntry(Marks.NUMA_NODES, "node-0 cpu=8000 nvidia.com/gpu=1; node-1 nvidia.com/gpu=1");
    }

    @Test
    void aBinderThatStoodStillBindsNothingBeforeItHasReadOn() {
        Pulse pulse = new Pulse(rig.clock);
        rig.clock.advance(10_000);

        Outcome outcome = rig.running().carryOut(GANG, new Halt(pulse));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(cluster.callsOf("bind")).isZero();

        pulse.beat(pulse.nanoTime(), true);
        Outcome next = rig.running().carryOut(decision("d8", GROUP, GANG.getAttempt() + 1, gangOf(3)), new Halt(pulse));
        assertThat(next.getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aBinderThatStoodStillMakesNoPods() {
        Rig nodes = Rig.withNodes(1);
        Pulse pulse = new Pulse(nodes.clock);
        nodes.clock.advance(10_000);
        nodes.running().carryOut(decision("d9", Decisions.JOB, 1, Decisions.createdGangOf(1)), new Halt(pulse));

        assertThat(nodes.cluster.callsOf("create")).isZero();
    }

    @Test
    void aDecisionThatWaitedLongerThanItWasGivenMakesNoPodsThoughItsClockIsBehind() {
        Rig nodes = Rig.withNodes(1);
        Pulse pulse = new Pulse(nodes.clock);
        long ahead = nodes.clock.epochMillis() + 3_600_000;
        var place = Decisions.createdGangOf(1);
        place.setDeadlineMillis(ahead + 30_000);
        Decision decided = decision("d6", Decisions.JOB, 1, place);
        decided.setTimeMillis(ahead);
        Halt read = new Halt(pulse);
        nodes.clock.advance(30_000);
        pulse.beat(pulse.nanoTime(), true);

        Outcome outcome = nodes.running().carryOut(decided, read);

        assertThat(nodes.cluster.callsOf("create")).isZero();
        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
    }

    @Test
    void aClockThatIsHoursAheadOfTheSchedulersTakesNoTimeFromADecisionThatIsKnownToBeNew() {
        Pulse pulse = new Pulse(rig.clock);
        Decision decided = decidedAnHourAgoByItsClock("d7", 1);
        assertThat(rig.running().carryOut(decided, new Halt(pulse)).getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);

        pulse.beat(pulse.nanoTime(), true);
        rig.clock.advance(100);
        Decision next = decidedAnHourAgoByItsClock("d8", 2);
        assertThat(rig.running().carryOut(next, new Halt(pulse)).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aDecisionThatMayBeAsOldAsItsTimeIsNotTriedByAClockThatIsAhead() {
        Pulse pulse = new Pulse(rig.clock);
        pulse.beat(pulse.nanoTime(), true);
        rig.clock.advance(30_000);
        pulse.beat(pulse.nanoTime(), false);

        Outcome outcome = rig.running().carryOut(decidedAnHourAgoByItsClock("d7", 1), new Halt(pulse));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
    }

    private Decision decidedAnHourAgoByItsClock(String id, int attempt) {
        long ago = rig.clock.epochMillis() - 3_600_000;
        var place = gangOf(3);
        place.setDeadlineMillis(ago + 30_000);
        Decision decided = decision(id, GROUP, attempt, place);
        decided.setTimeMillis(ago);
        return decided;
    }

    @Test
    void aClockThatIsBehindTheSchedulersGivesAPlacementNoMoreThanItsTime() {
        long ahead = rig.clock.epochMillis() + 3_600_000;
        var place = gangOf(1);
        place.setDeadlineMillis(ahead + 30_000);
        Decision decided = decision("d7", GROUP, 1, place);
        decided.setTimeMillis(ahead);
        cluster.on("bind p-0").answers(503, "busy").always();

        Outcome outcome = rig.carryOut(decided);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(rig.clock.epochMillis()).isLessThan(ahead);
    }

    @Test
    void doingADecisionAgainChangesNothing() {
        rig.carryOut(GANG);
        long binds = cluster.callsOf("bind");

        Outcome again = rig.start().carryOut(GANG, new Halt());

        assertThat(again.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.callsOf("bind")).isEqualTo(binds);
    }

    @Test
    void doingADecisionAgainAfterItsDeadlineFindsTheGangBound() {
        rig.carryOut(GANG);
        rig.clock.advance(3_600_000);

        assertThat(rig.start().carryOut(GANG, new Halt()).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aDecisionWithoutMembersIsDone() {
        var nobody = gangOf(0);

        assertThat(rig.carryOut(decision("d1", GROUP, 1, nobody)).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void aLostReplyIsSettledByReading() {
        cluster.on("bind p-1").losesTheReply();

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.calls).filteredOn("bind p-1"::equals).hasSize(1);
    }

    @Test
    void aLostRequestIsSentAgain() {
        cluster.on("bind p-1").getsLost();

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.calls).filteredOn("bind p-1"::equals).hasSize(2);
    }

    @Test
    void aConflictByAForeignChangeIsTriedAgainWithTheNewVersion() {
        cluster.on("bind p-1").after(() -> cluster.annotateBySomebody("p-1", "team", "a"));

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aConflictBecauseSomebodyElseBoundThePodTakesTheGangBack() {
        cluster.on("bind p-1").after(() -> cluster.bindBySomebody("p-1", "n-0"));

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isFalse();
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("Conflict");
        assertThat(cluster.now("p-1").orElseThrow().node())
                .as("not ours to evict")
                .isEqualTo("n-0");
        assertThat(nobodyIsBoundBy("d1")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void aBusyServerIsTriedAgain(int code) {
        cluster.on("bind p-2").answers(code, "busy").times(3);

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aServerThatAsksForAPauseGetsIt() {
        cluster.on("bind p-2").answersTryAgain(7_000);

        rig.carryOut(GANG);

        assertThat(rig.clock.epochMillis()).isGreaterThanOrEqualTo(FakeClock.START_MILLIS + 7_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 422})
    void aRefusalOfOneMemberTakesTheWholeGangBack(int code) {
        cluster.on("bind p-1").answers(code, "admission webhook denied the request");

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isTrue();
        assertThat(reasons(outcome)).containsOnly("Refused");
        assertThat(outcome.getMembers().get(1).getStatus().name()).isEqualTo("RELEASED");
        assertThat(outcome.getMembers().get(1).getMessage()).isEqualTo("admission webhook denied the request");
        assertThat(outcome.getMembers().get(0).getMessage()).startsWith("not without pod p-1: admission webhook");
        assertThat(nobodyIsBoundBy("d1")).isTrue();
    }

    @Test
    void membersThatWereNotBoundAreFencedWhenTheGangIsTakenBack() {
        cluster.on("bind *").answers(403, "no").always();

        rig.carryOut(GANG);

        assertThat(List.of("p-0", "p-1", "p-2"))
                .allSatisfy(name ->
                        assertThat(cluster.now(name).orElseThrow().attempt()).isEqualTo(1));
    }

    @Test
    void aBindThatIsStillOnItsWayAfterTheGangWasTakenBackMeetsAConflict() {
        PodState seenByALateBinder = cluster.now("p-1").orElseThrow();
        cluster.on("bind p-1").getsLost().always();
        rig.carryOut(GANG);
        cluster.heal();

        assertThatThrownBy(() -> cluster.bind(seenByALateBinder, "n-1", Map.of()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("modified");
    }

    @Test
    void aGangThatCanNotBeBoundBeforeItsDeadlineIsTakenBack() {
        cluster.on("bind p-2").answers(500, "etcd is away").always();

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isFalse();
        assertThat(nobodyIsBoundBy("d1")).isTrue();
        assertThat(rig.clock.epochMillis()).isGreaterThanOrEqualTo(Decisions.DEADLINE_MILLIS);
    }

    @Test
    void aHalfBoundGangFoundAfterItsDeadlineIsTakenBack() {
        cluster.annotateBySomebody("p-0", Marks.DECISION, "d1");
        cluster.annotateBySomebody("p-0", Marks.ATTEMPT, "1");
        cluster.bindBySomebody("p-0", "n-0");
        rig.clock.advance(60_000);

        Outcome outcome = rig.start().carryOut(GANG, new Halt());

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(statuses(outcome)).containsExactly("EVICTED", "RELEASED", "RELEASED");
        assertThat(reasons(outcome)).containsOnly("Deadline");
        assertThat(cluster.now("p-0")).isEmpty();
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void anEvictionThatABudgetForbidsIsForcedAfterTheDeadline() {
        cluster.on("bind p-1").answers(403, "no");
        cluster.on("evict *").answers(429, "disruption budget").always();
        cluster.annotateBySomebody("p-0", Marks.DECISION, "d1");
        cluster.annotateBySomebody("p-0", Marks.ATTEMPT, "1");
        cluster.bindBySomebody("p-0", "n-0");

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getMembers().get(0).getStatus().name()).isEqualTo("EVICTED");
        assertThat(cluster.now("p-0")).isEmpty();
        assertThat(cluster.calls).contains("delete p-0");
        assertThat(rig.clock.epochMillis()).isGreaterThanOrEqualTo(Decisions.DEADLINE_MILLIS);
    }

    @Test
    void aPodReplacedUnderTheSameNameIsNotTouched() {
        cluster.replacePod("p-1", "another");

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("PodChanged");
        assertThat(outcome.getMembers().get(1).getStatus().name()).isEqualTo("GONE");
        assertThat(cluster.now("p-1").orElseThrow().attempt()).isEqualTo(-1);
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void aPodReplacedWhileItIsBeingBoundIsNotTouched() {
        cluster.on("bind p-1").after(() -> cluster.replacePod("p-1", "another"));

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getMembers().get(1).getReason()).isEqualTo("PodChanged");
        assertThat(cluster.now("p-1").orElseThrow().bound()).isFalse();
        assertThat(nobodyIsBoundBy("d1")).isTrue();
    }

    @Test
    void aPodThatIsGoneTakesTheGangBack() {
        cluster.removePod("p-2");

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(reasons(outcome)).containsOnly("PodGone");
        assertThat(outcome.getMembers().get(2).getStatus().name()).isEqualTo("GONE");
    }

    @Test
    void aPodThatIsBeingDeletedIsNotBound() {
        cluster.beginDeletion("p-2");

        assertThat(reasons(rig.carryOut(GANG))).containsOnly("PodGone");
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void aNodeReplacedUnderTheSameNameVoidsThePlacement() {
        cluster.addNode("n-1", "another", true);

        Outcome outcome = rig.carryOut(GANG);

        assertThat(reasons(outcome)).containsOnly("NodeGone");
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void aNodeThatIsGoneVoidsThePlacement() {
        cluster.removeNode("n-1");

        assertThat(reasons(rig.carryOut(GANG))).containsOnly("NodeGone");
    }

    @Test
    void aNodeThatIsNotReadyVoidsThePlacement() {
        cluster.addNode("n-1", "nu-1", false);

        assertThat(reasons(rig.carryOut(GANG))).containsOnly("NodeNotReady");
    }

    @Test
    void badNewsOfTheWatchIsCheckedByReading() {
        cluster.view.podGone(FakeCluster.key("p-0"), "u-0");
        cluster.view.nodeGone("n-1", "nu-1");

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aWatchThatIsLateIsReplacedByReading() {
        cluster.stopWatch();

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(cluster.callsOf("get")).isEqualTo(3);
    }

    @Test
    void aDecisionOlderThanTheFenceIsSuperseded() {
        cluster.annotateBySomebody("p-1", Marks.ATTEMPT, "5");

        Outcome outcome = rig.carryOut(GANG);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.SUPERSEDED);
        assertThat(cluster.callsOf("bind")).isZero();
    }

    @Test
    void aFenceThatAStrangerWroteIllegiblyIsNone() {
        cluster.annotateBySomebody("p-1", Marks.ATTEMPT, "99999999999999999999999999");

        assertThat(rig.carryOut(GANG).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aRevokeInTheMiddleStopsTheGangAndTakesItBack() {
        Halt halt = new Halt();
        cluster.on("bind *").answers(500, "slow").after(halt::revoke).times(3);

        Outcome outcome = rig.running().carryOut(GANG, halt);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.SUPERSEDED);
        assertThat(nobodyIsBoundBy("d1")).isTrue();
        assertThat(rig.clock.epochMillis()).isLessThan(FakeClock.START_MILLIS + 1_000);
    }

    @Test
    void aBinderThatClosesLeavesTheDecisionWithoutAnOutcome() {
        Halt halt = new Halt();
        cluster.on("bind p-1").answers(500, "slow").after(halt::close);

        assertThatThrownBy(() -> rig.running().carryOut(GANG, halt)).isInstanceOf(AbandonedException.class);
        assertThat(cluster.callsOf("evict")).isZero();
        assertThat(rig.start().carryOut(GANG, new Halt()).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void wrongCredentialsStopTheBinder() {
        cluster.on("bind p-1").answers(401, "Unauthorized");

        assertThatThrownBy(() -> rig.carryOut(GANG)).isInstanceOf(ClusterUnusableException.class);
    }

    @Test
    void surplusMembersStandAlone() {
        cluster.on("bind p-1").answers(403, "no");

        Outcome outcome = rig.carryOut(SURPLUS);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.PARTLY_BOUND);
        assertThat(statuses(outcome)).containsExactly("BOUND", "RELEASED", "BOUND");
        assertThat(outcome.getRefused()).isTrue();
    }

    @Test
    void surplusOfWhichNothingCouldBeBoundIsCompensated() {
        cluster.on("bind *").answers(403, "no").always();

        assertThat(rig.carryOut(SURPLUS).getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
    }

    @Test
    void podsOfASubmittedJobAreCreatedAndBound() {
        Rig empty = Rig.withNodes(3);

        Outcome outcome = empty.carryOut(CREATED);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        var pod = empty.cluster.object("p-1");
        assertThat(pod.getSpec().getSchedulerName()).isEqualTo("muster");
        assertThat(pod.getSpec().getNodeName()).isEqualTo("n-1");
        assertThat(pod.getMetadata().getLabels())
                .containsEntry(Marks.JOB, "train")
                .containsEntry(Marks.TASK, "worker")
                .containsEntry("app", "train");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry(Marks.TENANT, "acme")
                .containsEntry(Marks.INDEX, "1")
                .containsEntry("muster.dev/runtime", "60s")
                .as("not what the template says")
                .containsEntry(Marks.ATTEMPT, "1");
        assertThat(outcome.getMembers().get(1).getUid())
                .isEqualTo(pod.getMetadata().getUid());
        assertThat(empty.cluster.calls)
                .as("a call to make and one to bind each, and two for the seal")
                .hasSize(8);
    }

    @Test
    void podsOfASubmittedJobGetWhatTheirFlavorsAdd() {
        Rig empty = Rig.withNodes(3);
        PlaceGang place = createdGangOf(3);
        place.getPodSets().getFirst().setNodeLabels(List.of(new KeyValue("pool", "spot")));
        place.getPodSets().getFirst().setTolerations(List.of(new Toleration("spot", "Exists", "", "NoExecute")));

        assertThat(empty.carryOut(decision("d1", Decisions.JOB, 1, place)).getStatus())
                .isEqualTo(OutcomeStatus.BOUND);
        var spec = empty.cluster.object("p-1").getSpec();
        assertThat(spec.getNodeSelector()).containsEntry("pool", "spot");
        assertThat(spec.getTolerations())
                .contains(new TolerationBuilder()
                        .withKey("spot")
                        .withOperator("Exists")
                        .withEffect("NoExecute")
                        .build());
    }

    @Test
    void aPodThatWasCreatedBeforeIsAdopted() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.on("create p-0").losesTheReply();

        assertThat(empty.carryOut(CREATED).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(empty.cluster.calls).filteredOn("create p-0"::equals).hasSize(1);
    }

    @Test
    void aStrangersPodUnderTheNameIsNotAdopted() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.addPod("p-0", "stranger");

        Outcome outcome = empty.carryOut(CREATED);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isTrue();
        assertThat(empty.cluster.now("p-0").orElseThrow().uid()).isEqualTo("stranger");
        assertThat(empty.cluster.now("p-0").orElseThrow().attempt()).isEqualTo(-1);
    }

    @Test
    void anEarlierPodOfTheJobThatIsOnItsWayOutIsWaitedFor() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.addPod("p-0", "old");
        empty.cluster.beginDeletion("p-0");
        empty.cluster.on("get p-0").after(() -> empty.cluster.removePod("p-0"));

        assertThat(empty.carryOut(CREATED).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(empty.cluster.now("p-0").orElseThrow().uid()).isNotEqualTo("old");
    }

    @Test
    void aTemplateThatArrivesLateIsWaitedFor() {
        Rig empty = Rig.withNodes(3);
        empty.templates = hash -> empty.clock.epochMillis() > FakeClock.START_MILLIS + 5_000
                ? Optional.of(Rig.TEMPLATE)
                : Optional.empty();

        assertThat(empty.carryOut(CREATED).getStatus()).isEqualTo(OutcomeStatus.BOUND);
    }

    @Test
    void aTemplateThatNeverArrivesIsRefusedAtTheDeadline() {
        Rig empty = Rig.withNodes(3);
        empty.templates = hash -> Optional.empty();

        Outcome outcome = empty.carryOut(CREATED);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(outcome.getRefused()).isTrue();
        assertThat(statuses(outcome)).containsOnly("GONE");
        assertThat(outcome.getMembers().get(0).getMessage()).contains("t1");
        assertThat(empty.cluster.callsOf("create")).isZero();
    }

    @Test
    void aTemplateThatIsNoPodTemplateIsRefused() {
        Rig empty = Rig.withNodes(3);
        empty.templates = hash -> Optional.of("[1,2]");

        assertThat(empty.carryOut(CREATED).getRefused()).isTrue();
    }

    @Test
    void aPodMadeAfterAnotherBinderTookThePlacementBackIsNotBound() {
        Rig empty = Rig.withNodes(1);
        Decision one = decision("d1", Decisions.JOB, 1, createdGangOf(1));
        Decision revoke = decision("d2", Decisions.JOB, 2, Decisions.revoke("d1", 1));
        List<String> taken = new ArrayList<>();
        empty.cluster.on("create p-0").after(() -> taken.addAll(statuses(empty.carryOut(revoke))));

        Outcome outcome = empty.carryOut(one);

        assertThat(taken).containsExactly("GONE");
        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(empty.cluster.callsOf("bind")).isZero();
        assertThat(empty.cluster.seals).containsEntry("d1", Seal.takenBack(Failure.DEADLINE));
    }

    @Test
    void aPodMadeAnewWhileItIsBeingBoundIsLeftAlone() {
        Rig empty = Rig.withNodes(1);
        Decision one = decision("d1", Decisions.JOB, 1, createdGangOf(1));
        empty.cluster.on("bind p-0").after(() -> {
            Pod again = new PodBuilder(empty.cluster.object("p-0")).build();
            empty.cluster.removePod("p-0");
            empty.cluster.create(again);
        });

        Outcome outcome = empty.carryOut(one);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(empty.cluster.now("p-0").orElseThrow().bound()).isFalse();
    }

    @Test
    void aPlacementIsSealedBeforeItIsLookedWhatIsThere() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.on("create p-1").answers(403, "exceeded quota").always();

        empty.carryOut(CREATED);

        List<String> calls = empty.cluster.calls;
        assertThat(calls.subList(calls.indexOf("seal d1"), calls.size())).contains("get p-0", "get p-1", "get p-2");
        assertThat(empty.cluster.seals).containsEntry("d1", Seal.takenBack(Failure.REFUSED));
    }

    @Test
    void whoAnswersFirstPrevails() {
        Rig bound = Rig.withNodes(3);
        bound.carryOut(CREATED);
        bound.cluster.removePod("p-1");

        Outcome late = bound.carryOut(CREATED);

        assertThat(late.getStatus()).isEqualTo(OutcomeStatus.PARTLY_BOUND);
        assertThat(statuses(late)).containsExactly("BOUND", "RELEASED", "BOUND");
        assertThat(bound.cluster.callsOf("evict")).isZero();
        assertThat(bound.cluster.now("p-1").orElseThrow().bound()).isFalse();
    }

    @Test
    void whatAnotherTookBackIsTakenBackThoughItIsBoundWhole() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.on("seal d1").after(() -> empty.cluster.seals.put("d1", Seal.takenBack(Failure.DEADLINE)));

        Outcome outcome = empty.carryOut(CREATED);

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(statuses(outcome)).containsOnly("EVICTED");
    }

    @Test
    void anAnswerWaitsUntilThePlacementCanBeSealed() {
        Rig empty = Rig.withNodes(3);
        empty.cluster.on("seal d1").answers(403, "leases are forbidden").times(20);

        assertThat(empty.carryOut(CREATED).getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(empty.cluster.seals).containsEntry("d1", Seal.BOUND);
    }

    @Test
    void aGangOfThousandsIsBound() {
        Rig large = Rig.withNodes(1);
        var place = gangOf(1);
        List<dev.muster.schemas.decision.MemberPlacement> members = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            large.cluster.addPod("p-" + i, "u-" + i);
            members.add(Decisions.member(i, "u-" + i));
        }
        place.setNodes(List.of(new NodePlacement("n-0", "nu-0", members)));

        Outcome outcome = large.carryOut(decision("d1", GROUP, 1, place));

        assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND);
        assertThat(outcome.getMembers()).hasSize(2_000);
        assertThat(large.cluster.calls).hasSize(2_000);
    }

    private boolean nobodyIsBoundBy(String decisionId) {
        return List.of("p-0", "p-1", "p-2").stream()
                .noneMatch(name ->
                        cluster.now(name).filter(pod -> pod.boundBy(decisionId)).isPresent());
    }
}
