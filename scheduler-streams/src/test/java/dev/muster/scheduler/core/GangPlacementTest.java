package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpuShare;
import static dev.muster.scheduler.core.TestDomain.gpus;
import static dev.muster.scheduler.core.TestDomain.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadState;
import dev.muster.scheduler.core.round.Effects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangPlacementTest {
    private final TestDomain domain = TestDomain.synced();

    @Test
    void aGangThatFitsIsPlacedInOneDecision() {
        domain.node("n1", 8);
        domain.node("n2", 8);
        domain.podGroup("train", 4);
        domain.gangPods("train", 4, gpus(4));

        List<Decision> decisions = domain.tick();

        assertThat(decisions).hasSize(1);
        assertThat(members(decisions.getFirst())).hasSize(4);
        assertThat(domain.status("train").state()).isEqualTo(WorkloadState.PLACED);
        domain.carryOut(decisions.getFirst());
        assertThat(domain.status("train").state()).isEqualTo(WorkloadState.RUNNING);
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void aGangThatDoesNotFitHoldsNothingAndSaysWhyInNumbers() {
        domain.node("n1", 8);
        domain.podGroup("big", 3);
        domain.gangPods("big", 3, gpus(4));
        domain.lonePod("small", -1, gpus(8));

        List<Decision> decisions = domain.tick();

        assertThat(decisions)
                .extracting(Decision::workload)
                .hasSize(1)
                .first()
                .asString()
                .contains("Pod/small");
        assertThat(domain.status("big").reason().code()).isEqualTo(ReasonCodes.EXCEEDS_CLUSTER);
        assertThat(domain.status("big").reason().message())
                .isEqualTo(
                        "3 pods (4 GPUs each) must start together; cluster c1 could hold 2 even if it were empty; now 1"
                                + " of 1 nodes lack nvidia.com/gpu (4 asked, at most 0 free)");
    }

    @Test
    void aGangThatFindsTooLittleRoomNamesWhatIsLacking() {
        domain.node("n1", 8);
        domain.node("n2", 8);
        domain.lonePod("first", 1, gpus(6));
        domain.podGroup("big", 4);
        domain.gangPods("big", 4, gpus(4));

        domain.tick();

        assertThat(domain.status("big").reason().code()).isEqualTo(ReasonCodes.NOT_ENOUGH_ROOM);
        assertThat(domain.status("big").reason().message())
                .isEqualTo("4 pods (4 GPUs each) must start together; cluster c1 has room for 2 now: "
                        + "1 of 2 nodes lack nvidia.com/gpu (4 asked, at most 2 free)");
    }

    @Test
    void inALongQueueNotEverySentenceIsWorkedOutAgainWhenRoomComesFree() {
        TestDomain crowded = TestDomain.unchecked();
        crowded.node("n1", 4);
        for (int i = 0; i < 600; i++) {
            crowded.lonePod("p" + i, 0, gpus(8));
        }
        crowded.tick();
        assertThat(crowded.statuses.values())
                .allSatisfy(status -> assertThat(status.reason().code()).isEqualTo(ReasonCodes.EXCEEDS_CLUSTER));

        crowded.node("n2", 2);
        Effects effects = crowded.apply(new ClusterEvent.Tick("marked"));
        assertThat(effects.statuses()).hasSizeBetween(32, 32 + 16 + 1);
        assertThat(effects.statuses().getFirst().reason().message()).contains("2 of 2 nodes lack");

        crowded.node("n3", 8);
        assertThat(crowded.tick())
                .singleElement()
                .satisfies(decision -> assertThat(members(decision))
                        .singleElement()
                        .satisfies(member -> assertThat(member.name()).isEqualTo("p0")));
    }

    @Test
    void whoWantsLessThanThoseAheadIsStillPlacedAndWhoWantsTheSameIsToldWhyNot() {
        domain.node("n1", 4);
        domain.lonePod("large-1", 0, gpus(8));
        domain.lonePod("large-2", 0, gpus(8));
        domain.lonePod("small-1", 0, gpus(4));
        domain.lonePod("small-2", 0, gpus(4));
        domain.lonePod("large-3", 9, gpus(8));

        assertThat(domain.tick())
                .singleElement()
                .satisfies(decision -> assertThat(members(decision))
                        .singleElement()
                        .satisfies(member -> assertThat(member.name()).isEqualTo("small-1")));
        assertThat(domain.statuses.values())
                .filteredOn(status -> !status.name().equals("small-1"))
                .hasSize(4)
                .allSatisfy(status -> assertThat(status.reason().message()).contains("nvidia.com/gpu"));
    }

    @Test
    void nothingIsPlacedBeforeAllPodsOfTheMinimumAreThere() {
        domain.node("n1", 8);
        domain.podGroup("train", 3);
        domain.gangPods("train", 2, gpus(1));

        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("train").reason().code()).isEqualTo(ReasonCodes.PODS_MISSING);
        assertThat(domain.status("train").reason().message())
                .isEqualTo("2 of the 3 pods that must run together are there");
    }

    @Test
    void podsThatComeBeforeTheirGroupAndNodeComeToTheSameState() {
        domain.gangPods("train", 2, gpus(1));
        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("train").reason().code()).isEqualTo(ReasonCodes.GROUP_MISSING);
        domain.podGroup("train", 2);
        assertThat(domain.tick()).isEmpty();
        domain.node("n1", 2);

        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void rolesGetTheirMinimumBeforeSurplusOfOthers() {
        // 5 GPUs: servers need 2 of 2, workers at least 2 of 6, 5 in all -> 2 servers and 3 workers.
        domain.node("n1", 3);
        domain.node("n2", 2);
        domain.podGroup("mix", 5, new GroupFacts.Task("worker", 2, 6, ""), new GroupFacts.Task("server", 2, 2, ""));
        domain.gangPods("mix", "worker", 6, gpus(1));
        domain.gangPods("mix", "server", 2, gpus(1));

        List<Decision> decisions = domain.tick();

        assertThat(decisions).hasSize(1);
        assertThat(members(decisions.getFirst()))
                .filteredOn(m -> m.name().startsWith("mix-server"))
                .hasSize(2);
        assertThat(members(decisions.getFirst()))
                .filteredOn(m -> m.name().startsWith("mix-worker"))
                .hasSize(3);
    }

    @Test
    void surplusFollowsInADecisionOfItsOwnThatIsNotAGang() {
        domain.node("n1", 3);
        domain.podGroup("elastic", 2);
        domain.gangPods("elastic", 5, gpus(1));

        List<Decision> decisions = domain.tick();

        assertThat(decisions).hasSize(2);
        assertThat(((Action.PlaceGang) decisions.get(0).action()).gang()).isTrue();
        assertThat(((Action.PlaceGang) decisions.get(1).action()).gang()).isFalse();
        assertThat(members(decisions.get(1))).extracting(MemberPlacement::name).containsExactly("elastic-2");
    }

    @Test
    void everyMinimumComesBeforeAnySurplus() {
        domain.node("n1", 4);
        domain.podGroup("first", 1);
        domain.gangPods("first", 4, gpus(1));
        domain.podGroup("second", 3);
        domain.gangPods("second", 3, gpus(1));

        List<Decision> decisions = domain.tick();

        assertThat(decisions).hasSize(2);
        assertThat(decisions).allMatch(d -> ((Action.PlaceGang) d.action()).gang());
    }

    @Test
    void higherPriorityGoesFirstThenArrival() {
        domain.node("n1", 1);
        domain.lonePod("old", 0, gpus(1));
        domain.lonePod("urgent", 10, gpus(1));
        domain.lonePod("young", 0, gpus(1));

        Decision first = domain.tick().getFirst();
        assertThat(members(first).getFirst().name()).isEqualTo("urgent");
        domain.carryOut(first);
        domain.phase("urgent", "Succeeded");
        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("old");
    }

    @Test
    void aGangOfSeveralRolesThatDoesNotFitDoesNotKeepASmallerOneOut() {
        // 5 GPUs. 3 + 3 do not fit together, though each role would; 4 of the same kind do.
        domain.node("n1", 5);
        domain.podGroup("two-roles", 6, new GroupFacts.Task("a", 3, 3, ""), new GroupFacts.Task("b", 3, 3, ""));
        domain.gangPods("two-roles", "a", 3, gpus(1));
        domain.gangPods("two-roles", "b", 3, gpus(1));
        domain.podGroup("one-role", 4);
        domain.gangPods("one-role", 4, gpus(1));

        assertThat(domain.tick())
                .extracting(decision -> decision.workload().value())
                .containsExactly("c1/ml/VolcanoPodGroup/one-role");
    }

    @Test
    void binpackFillsANodeAndSpreadUsesAll() {
        domain.node("n1", 8);
        domain.node("n2", 8);
        domain.podGroup("a", 2);
        domain.gangPods("a", 2, gpus(1));
        assertThat(nodes(domain.tick().getFirst())).hasSize(1);

        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                Policy.SchedulerPolicy.DEFAULT.withStrategy("spread")));
        domain.podGroup("b", 4);
        domain.gangPods("b", 4, gpus(1));
        // n1 holds two already: spreading puts three of the four on n2.
        assertThat(nodes(domain.tick().getFirst()))
                .extracting(node -> node.members().size())
                .containsExactly(1, 3);
    }

    @Test
    void sharesOfAGpuFillOpenedDevicesFirstAndNeverExceedOne() {
        domain.node("n1", 2);
        for (int i = 0; i < 5; i++) {
            domain.lonePod("share-" + i, 0, gpuShare(400));
        }
        List<Decision> decisions = domain.tick();

        // 2 x 0.4 on each of 2 devices; the fifth has to wait.
        assertThat(decisions).hasSize(4);
        assertThat(decisions.stream().map(d -> members(d).getFirst().devices().getFirst()))
                .containsExactly(0, 0, 1, 1);
        decisions.forEach(domain::carryOut);
        domain.phase("share-0", "Succeeded");
        assertThat(members(domain.tick().getFirst()).getFirst().devices()).containsExactly(0);
    }

    @Test
    void wholeGpusDoNotGoToSharedDevices() {
        domain.node("n1", 2);
        domain.lonePod("share", 1, gpuShare(100));
        domain.lonePod("both", 0, gpus(2));
        domain.lonePod("one", -1, gpus(1));

        List<Decision> decisions = domain.tick();

        assertThat(decisions).extracting(d -> members(d).getFirst().name()).containsExactly("share", "one");
        assertThat(members(decisions.get(1)).getFirst().devices()).containsExactly(1);
    }

    @Test
    void roomIsFreeWhenThePodIsGoneNotWhenItsDeletionBegins() {
        domain.node("n1", 1);
        domain.lonePod("old", 0, gpus(1));
        domain.carryOut(domain.tick().getFirst());
        domain.lonePod("new", 0, gpus(1));
        domain.tick();
        domain.deleting("old");
        assertThat(domain.tick()).isEmpty();
        domain.gone("old");
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void aRefusedPlacementGivesItsRoomBackAndWaitsBeforeTheNextTry() {
        domain.node("n1", 2);
        domain.podGroup("cursed", 2);
        domain.gangPods("cursed", 2, gpus(1));
        Decision decision = domain.tick().getFirst();

        domain.report(decision, Status.COMPENSATED, MemberStatus.RELEASED, true);

        assertThat(domain.status("cursed").reason().code()).isEqualTo(ReasonCodes.BIND_REFUSED);
        domain.lonePod("clean", 0, gpus(2));
        assertThat(domain.tick()).hasSize(1);
        assertThat(domain.tick()).isEmpty();
        domain.pass(1_000);
        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("cursed").reason().code()).isEqualTo(ReasonCodes.NOT_ENOUGH_ROOM);
    }

    @Test
    void podsMadeAnewAfterARefusalDoNotHideTheRefusal() {
        domain.node("n1", 2);
        domain.podGroup("cursed", 2);
        domain.gangPods("cursed", 2, gpus(1));
        Decision decision = domain.tick().getFirst();
        domain.report(decision, Status.COMPENSATED, MemberStatus.RELEASED, true);
        long sinceMillis = domain.status("cursed").sinceMillis();

        domain.pass(10);
        domain.gone("cursed-1");
        assertThat(domain.status("cursed").reason().code()).isEqualTo(ReasonCodes.BIND_REFUSED);
        domain.gangPods("cursed", 2, gpus(1));
        assertThat(domain.status("cursed").reason().code()).isEqualTo(ReasonCodes.BIND_REFUSED);
        assertThat(domain.status("cursed").sinceMillis()).isEqualTo(sinceMillis);

        domain.gone("cursed-1");
        domain.pass(1_000);
        domain.tick();
        assertThat(domain.status("cursed").reason().code()).isEqualTo(ReasonCodes.PODS_MISSING);
    }

    @Test
    void aHoldPastItsDeadlineIsRevokedAndItsRoomStaysHeldUntilTheBinderAnswers() {
        domain.node("n1", 1);
        domain.lonePod("a", 0, gpus(1));
        Decision placed = domain.tick().getFirst();
        domain.lonePod("b", 0, gpus(1));
        domain.tick();
        domain.pass(30_000);

        List<Decision> decisions = domain.tick();

        assertThat(decisions).hasSize(1);
        Action.Revoke revoke = (Action.Revoke) decisions.getFirst().action();
        assertThat(revoke.revoked()).isEqualTo(placed.id());
        assertThat(decisions.getFirst().attempt()).isGreaterThan(placed.attempt());
        domain.pass(60_000);
        assertThat(domain.tick()).isEmpty();
        domain.report(decisions.getFirst(), Status.REVOKED, MemberStatus.RELEASED, false);
        assertThat(members(domain.tick().getFirst()).getFirst().name()).isEqualTo("a");
    }

    @Test
    void aBoundPodIsNeverRevokedForLackOfNews() {
        domain.node("n1", 1);
        domain.lonePod("a", 0, gpus(1));
        Decision placed = domain.tick().getFirst();
        domain.report(placed, Status.BOUND, MemberStatus.BOUND, false);
        domain.pass(3_600_000);

        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void nodeSelectorsKeepPodsOffOtherNodes() {
        domain.node("n1", 8, Map.of("pool", "a"));
        domain.node("n2", 8, Map.of("pool", "b"));
        var wanted = new Requirement(
                gpus(1).requests(), 0, List.of(new Label("pool", "b")), List.of(), List.of(), List.of(), "");
        domain.lonePod("picky", 0, wanted);
        assertThat(nodes(domain.tick().getFirst()))
                .extracting(NodePlacement::node)
                .containsExactly("n2");
    }

    private static List<NodePlacement> nodes(Decision decision) {
        return ((Action.PlaceGang) decision.action()).nodes();
    }
}
