package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each law is shown a state that it must not accept. */
class LawsTest {
    private final DomainState state = new DomainState();
    private final Members members = new Members(state);
    private final Facts facts = new Facts(state, members);
    private final Settlement settlement = new Settlement(state, members);
    private NodeState node;
    private Workload workload;
    private Member member;

    @BeforeEach
    void oneNodeAndOnePodThatWaits() {
        facts.nodeChanged(new NodeChanged(origin("n1"), TestDomain.nodeFacts("n1", 2, Map.of())));
        facts.pods().changed(new PodChanged(origin("p"), pod("", "Pending")));
        settlement.settle(false);
        node = state.node(new NodeId("c1", "n1"));
        member = state.pods.get(new PodId("c1", "p")).member;
        workload = member.podSet().workload();
    }

    @Test
    void aStateThatAddsUpIsAccepted() {
        hold();
        assertThatCode(() -> Laws.check(state)).doesNotThrowAnyException();
    }

    @Test
    void roomThatNobodyHoldsIsRejected() {
        node.take(member.requirement(), new int[] {0}, NumaPlacement.NONE);
        rejectedSaying("uses 0 of");
    }

    @Test
    void roomThatIsHeldButNotTakenIsRejected() {
        hold();
        node.give(member.requirement(), new int[] {0}, NumaPlacement.NONE);
        rejectedSaying("but counts 0");
    }

    @Test
    void aNodeCountedUnderTheWrongNumberOfFreeGpusIsRejected() {
        hold();
        state.cluster("c1").recountWholeFree(node, 1, 2);
        rejectedSaying("free GPUs they do not have");
    }

    @Test
    void aDomainCountedWithGpusItDoesNotHaveIsRejected() {
        Topologies topologies = state.cluster("c1").topologies();
        topologies.network().recount(node, 1);
        rejectedSaying("has 2 free GPUs but counts 3");
    }

    @Test
    void aVolumePromisedToNobodyIsRejected() {
        hold();
        state.cluster("c1").promises().make(ClaimPlacement.bound("ml/data", "d1"));
        rejectedSaying("claims of cluster c1 are promised");
    }

    @Test
    void aVolumePromisedTwiceStopsAtOnce() {
        Promises promises = state.cluster("c1").promises();
        promises.make(ClaimPlacement.bound("ml/data", "d1"));
        promises.make(ClaimPlacement.bound("ml/data", "d1"));
        for (ClaimPlacement other : List.of(
                ClaimPlacement.bound("ml/other", "d1"),
                ClaimPlacement.bound("ml/data", "d2"),
                ClaimPlacement.made("ml/data", "n1"))) {
            assertThatThrownBy(() -> promises.make(other)).isInstanceOf(LawBrokenException.class);
        }
    }

    @Test
    void aDeviceGivenTwiceIsRejected() {
        hold();
        facts.pods().changed(new PodChanged(origin("q"), pod("n1", "Running")));
        settlement.settle(false);
        PodState other = state.pods.get(new PodId("c1", "q"));
        node.give(other.requirement, other.devices, NumaPlacement.NONE);
        other.devices = new int[] {0};
        node.take(other.requirement, other.devices, NumaPlacement.NONE);
        rejectedSaying("device 0 is over-committed");
    }

    @Test
    void aMemberCountedInTheWrongPhaseIsRejected() {
        hold();
        member.podSet().uncount(member);
        rejectedSaying("members, not");
    }

    @Test
    void aMemberThatTakesItselfForAnotherPhasesIsRejected() {
        hold();
        member.countAs(Member.Phase.FAILED);
        rejectedSaying("is counted as FAILED");
    }

    @Test
    void aWorkloadMissingFromTheQueueIsRejected() {
        state.placeable.clear();
        rejectedSaying("is not among the placeable");
    }

    @Test
    void aWorkloadInALaneOfOthersIsRejected() {
        state.lanes.remove(workload.place, workload);
        rejectedSaying("stands in a lane for something else");
    }

    @Test
    void usageThatNobodyCausesIsRejected() {
        state.quotas.charge("default", new TreeMap<>(), member.requirement, 1, state.sharing);
        rejectedSaying("queues use");
    }

    @Test
    void usageBelowZeroStopsAtOnce() {
        assertThatThrownBy(() -> state.quotas.charge("default", new TreeMap<>(), member.requirement, -1, state.sharing))
                .isInstanceOf(LawBrokenException.class)
                .hasMessageContaining("below zero");
    }

    @Test
    void reservingWhatIsNotThereStopsAtOnce() {
        Overlay overlay = new Overlay(state, members);
        overlay.reserve(member, node);
        overlay.reserve(member, node);
        assertThatThrownBy(() -> overlay.reserve(member, node))
                .isInstanceOf(LawBrokenException.class)
                .hasMessageContaining("no devices left on c1/n1");
    }

    @Test
    void whatIsUndoneLeavesNoTrace() {
        Overlay overlay = new Overlay(state, members);
        overlay.reserve(member, node);
        overlay.undoTo(0);
        Laws.check(state);
    }

    private void hold() {
        Overlay overlay = new Overlay(state, members);
        overlay.reserve(member, node);
        overlay.commit(workload, "c1", new DecisionId(1, 0), true, 1_000, overlay.reservations());
        settlement.settle(false);
    }

    private void rejectedSaying(String what) {
        assertThatThrownBy(() -> Laws.check(state))
                .isInstanceOf(LawBrokenException.class)
                .hasMessageContaining(what);
    }

    private static Origin origin(String name) {
        return new Origin("c1", 1, "ml", name, name, 1);
    }

    private static PodFacts pod(String node, String phase) {
        return new PodFacts(
                "muster",
                true,
                phase,
                node,
                false,
                false,
                0,
                true,
                null,
                "",
                -1,
                "",
                TestDomain.gpus(1),
                List.of(),
                node.isEmpty() ? "" : "1:1",
                0);
    }
}
