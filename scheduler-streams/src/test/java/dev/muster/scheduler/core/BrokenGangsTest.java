package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HealthSignal.Scope;
import dev.muster.scheduler.core.model.HealthSignal.Severity;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is evicted when GPUs and nodes are lost, and what is held for their gangs; with a restart after every step. */
class BrokenGangsTest {
    private static final long PERSISTS = HealthEviction.DEFAULT.afterMillis();
    private static final long LOST = HealthEviction.DEFAULT.nodeLostMillis();
    private static final long HELD = HealthEviction.DEFAULT.slotsHeldMillis();

    private final TestDomain domain = TestDomain.synced();

    private void report(String node, HealthSignal... signals) {
        domain.apply(new HealthChanged(domain.origin("", node), Arrays.asList(signals)));
    }

    private static HealthSignal ofDevice(int device, Severity severity) {
        return new HealthSignal(Scope.DEVICE, device, "XID", severity, "79", "annotation");
    }

    private static HealthSignal ofNode() {
        return new HealthSignal(Scope.NODE, -1, "XID", Severity.FATAL, "79", "taint");
    }

    private void policy(HealthEviction eviction) {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                new Policy.SchedulerPolicy(
                        "binpack",
                        30_000,
                        1_000,
                        300_000,
                        new Policy.Health(0, 3, 600_000, eviction),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        600_000,
                        PreemptionPolicy.DEFAULT,
                        FairSharing.DEFAULT)));
    }

    private List<Decision> tick() {
        domain.restart();
        List<Decision> decisions = domain.tick();
        domain.restart();
        return decisions;
    }

    private void run() {
        tick().stream()
                .filter(decision -> decision.action() instanceof Action.PlaceGang)
                .forEach(domain::carryOut);
    }

    private static Decision eviction(List<Decision> decisions) {
        return decisions.stream()
                .filter(decision -> decision.action() instanceof Action.Evict)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> places(List<Decision> decisions) {
        List<String> places = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision.action() instanceof Action.PlaceGang place) {
                place.nodes()
                        .forEach(node -> node.members().forEach(pod -> places.add(pod.name() + "@" + node.node())));
            }
        }
        return places;
    }

    /** A gang of so many pods with two GPUs each, in a cluster of nodes with four. */
    private void gang(int nodes, int pods) {
        for (int node = 1; node <= nodes; node++) {
            domain.node("n" + node, 4);
        }
        domain.podGroup("g", pods);
        domain.gangPods("g", pods, TestDomain.gpus(2));
        run();
    }

    private void successor(String name, int index) {
        domain.pod(name, new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"), "", index, 0, TestDomain.gpus(2));
    }

    private String nodeOf(String pod) {
        return domain.pods.get(pod).facts().node();
    }

    @Test
    void onlyThePodOnTheSickDeviceGoesAndItsRoomElsewhereIsHeld() {
        gang(3, 4);
        assertThat(nodeOf("g-3")).isEqualTo("n2");
        int device = domain.pods.get("g-3").facts().devices().getFirst();
        report("n2", ofDevice(device, Severity.FATAL));
        domain.pass(PERSISTS - 1);
        assertThat(tick()).as("it may go at once").isEmpty();
        domain.pass(1);

        Decision evict = eviction(tick());
        assertThat(TestDomain.victims(evict)).containsExactly("g-3");
        assertThat(((Action.Evict) evict.action()).reason()).isEqualTo(Action.Evict.FATAL_HEALTH);
        assertThat(domain.status("g").reason().code()).isEqualTo(ReasonCodes.MEMBERS_LOST);
        assertThat(domain.status("g").reason().message()).contains("g-3 (XID 79 on n2)", "600 s");
        domain.lonePod("late", 0, TestDomain.gpus(4));
        assertThat(places(tick())).as("n3 has 4 - 2 held").isEmpty();

        domain.evict(evict);
        domain.gone("g-3");
        assertThat(domain.status("g").state()).isEqualTo(WorkloadState.INCOMPLETE);
        assertThat(domain.status("g").reason().code()).isEqualTo(ReasonCodes.MEMBERS_LOST);
        assertThat(places(tick())).isEmpty();
        successor("g-3b", 3);
        assertThat(places(tick())).containsExactly("g-3b@n3");
        domain.pass(HELD);
        assertThat(tick()).noneMatch(decision -> decision.action() instanceof Action.Evict);
    }

    @Test
    void recoverableTroubleEvictsNobody() {
        gang(2, 2);
        report("n1", ofDevice(0, Severity.RECOVERABLE), ofDevice(1, Severity.RECOVERABLE));
        domain.pass(HELD);
        assertThat(tick()).isEmpty();
    }

    @Test
    void slotsOfThoseThatLeaveAreHeldToo() {
        gang(3, 4);
        report("n2", ofNode());
        domain.pass(PERSISTS);
        Decision evict = eviction(tick());
        assertThat(TestDomain.victims(evict)).containsExactly("g-2", "g-3");
        domain.evict(evict);
        for (int pod = 0; pod < 4; pod++) {
            domain.gone("g-" + pod);
        }
        domain.lonePod("filler", 0, TestDomain.gpus(1));
        assertThat(places(tick())).as("n1 and n3 are held").isEmpty();
        for (int pod = 0; pod < 4; pod++) {
            successor("g-" + pod + "b", pod);
        }
        assertThat(places(tick())).hasSize(4).noneMatch(place -> place.endsWith("n2"));
    }

    @Test
    void whereThereIsNoOtherRoomTheSlotIsHeldUntilItIsMended() {
        gang(2, 4);
        report("n2", ofNode());
        domain.pass(PERSISTS);
        domain.evict(eviction(tick()));
        domain.gone("g-2");
        domain.gone("g-3");
        report("n2");
        domain.lonePod("filler", 0, TestDomain.gpus(2));
        assertThat(places(tick())).isEmpty();
        successor("g-2b", 2);
        successor("g-3b", 3);
        assertThat(places(tick())).containsExactlyInAnyOrder("g-2b@n2", "g-3b@n2");
    }

    @Test
    void aGangThatIsNotWholeAgainInTimeIsGivenUpWhole() {
        gang(2, 4);
        report("n2", ofNode());
        domain.pass(PERSISTS);
        domain.evict(eviction(tick()));
        domain.gone("g-2");
        domain.gone("g-3");
        successor("g-2b", 2);
        successor("g-3b", 3);
        assertThat(places(tick())).isEmpty();
        assertThat(domain.status("g").reason().code()).isEqualTo(ReasonCodes.NOT_ENOUGH_ROOM);
        assertThat(domain.status("g").reason().message()).contains("its slots are held for it for 600 s");
        domain.pass(HELD - 1);
        assertThat(tick()).isEmpty();
        domain.pass(1);

        Decision evict = eviction(tick());
        assertThat(TestDomain.victims(evict)).containsExactly("g-0", "g-1");
        assertThat(((Action.Evict) evict.action()).reason()).isEqualTo(Action.Evict.SLOTS_EXPIRED);
        assertThat(((Action.Evict) evict.action()).victims()).allMatch(Action.Victim::whole);
        domain.evict(evict);
        tick();
        domain.gone("g-0");
        domain.gone("g-1");
        domain.lonePod("filler", 0, TestDomain.gpus(4));
        assertThat(places(tick())).containsExactly("filler@n1");
    }

    @Test
    void anEvictionThatIsRefusedIsAskedForAgainMuchLater() {
        gang(3, 4);
        report("n2", ofNode());
        domain.pass(PERSISTS);
        domain.reportEviction(eviction(tick()), DecisionOutcome.Status.EVICTION_REFUSED, MemberStatus.KEPT);
        assertThat(domain.status("g").reason().code()).isEqualTo(ReasonCodes.EVICTION_REFUSED);
        domain.pass(299_999);
        assertThat(tick()).isEmpty();
        domain.pass(1);
        assertThat(TestDomain.victims(eviction(tick()))).containsExactly("g-2", "g-3");
    }

    @Test
    void podsOfANodeThatIsGoneAreLeftToTheClusterAndTheirRoomElsewhereIsHeld() {
        gang(3, 4);
        Origin node = domain.origin("", "n2");
        domain.apply(new NodeGone(node));
        assertThat(tick()).isEmpty();
        domain.lonePod("late", 0, TestDomain.gpus(4));
        assertThat(places(tick())).isEmpty();
        domain.gone("g-2");
        domain.gone("g-3");
        successor("g-2b", 2);
        successor("g-3b", 3);
        assertThat(places(tick())).containsExactlyInAnyOrder("g-2b@n3", "g-3b@n3");
        assertThat(domain.rows.keySet()).noneMatch(row -> row.startsWith("NODES") && row.contains("n2"));
    }

    @Test
    void slotsOnANodeThatIsGoneAreStillThereWhenMoreIsLost() {
        gang(2, 4);
        domain.apply(new NodeGone(domain.origin("", "n2")));
        tick();
        domain.gone("g-2");
        domain.gone("g-3");
        report("n1", ofDevice(domain.pods.get("g-0").facts().devices().getFirst(), Severity.FATAL));
        domain.pass(PERSISTS);
        assertThat(TestDomain.victims(eviction(tick()))).containsExactly("g-0");

        domain.node("n2", 4);
        domain.lonePod("late", 0, TestDomain.gpus(1));
        assertThat(places(tick())).as("n2 is the gang's again").isEmpty();
    }

    @Test
    void aNodeThatIsNotReadyForTooLongIsLost() {
        gang(3, 4);
        NodeFacts facts = TestDomain.nodeFacts("n2", 4, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", "n2"), new NodeFacts(facts.labels(), List.of(), false, false, facts.allocatable())));
        tick();
        domain.pass(LOST - 1);
        assertThat(tick()).isEmpty();
        domain.pass(1);
        Decision evict = eviction(tick());
        assertThat(TestDomain.victims(evict)).containsExactly("g-2", "g-3");
        assertThat(((Action.Evict) evict.action()).reason()).isEqualTo(Action.Evict.NODE_LOST);
    }

    @Test
    void aPodThatEndsOnASickGpuBreaksItsGangAtOnce() {
        gang(2, 4);
        report("n2", ofNode());
        domain.phase("g-3", "Failed");
        assertThat(domain.status("g").reason().code()).isEqualTo(ReasonCodes.MEMBERS_LOST);
        domain.gone("g-3");
        domain.pass(PERSISTS);
        assertThat(TestDomain.victims(eviction(tick()))).containsExactly("g-2");
    }

    @Test
    void aPodThatIsDeletedOnAHealthyNodeLeavesNothing() {
        gang(2, 4);
        domain.deleting("g-3");
        domain.gone("g-3");
        domain.lonePod("filler", 0, TestDomain.gpus(2));
        assertThat(places(tick())).containsExactly("filler@n2");
    }

    @Test
    void aSecondLossIsAddedToTheFirst() {
        gang(4, 4);
        report("n2", ofNode());
        domain.pass(PERSISTS);
        Decision first = eviction(tick());
        report("n1", ofNode());
        domain.pass(PERSISTS);
        assertThat(tick()).as("while the first is not answered").isEmpty();
        domain.evict(first);
        domain.pass(1_000);
        Decision second = eviction(tick());
        assertThat(TestDomain.victims(second)).containsExactly("g-0", "g-1");
        domain.evict(second);
        for (int pod = 0; pod < 4; pod++) {
            domain.gone("g-" + pod);
            successor("g-" + pod + "b", pod);
        }
        assertThat(places(tick())).hasSize(4).allMatch(place -> place.endsWith("n3") || place.endsWith("n4"));
    }

    @Test
    void nobodyIsEvictedWhileMostOfTheClusterIsCalledSick() {
        gang(4, 4);
        for (String node : List.of("n1", "n2", "n3")) {
            report(node, ofNode());
        }
        domain.pass(PERSISTS);
        assertThat(tick()).isEmpty();
        report("n3");
        assertThat(TestDomain.victims(eviction(tick()))).hasSize(4);
    }

    @Test
    void anOperatorMayTurnItOff() {
        policy(new HealthEviction(false, 0, 0, HELD, 55));
        gang(3, 4);
        report("n2", ofNode());
        domain.pass(LOST);
        assertThat(tick()).isEmpty();
    }

    @Test
    void aLonePodIsEvictedAndNothingIsLeft() {
        domain.node("n1", 4);
        domain.lonePod("p", 0, TestDomain.gpus(1));
        run();
        report("n1", ofNode());
        domain.pass(PERSISTS);
        Decision evict = eviction(tick());
        assertThat(TestDomain.victims(evict)).containsExactly("p");
        assertThat(domain.tick()).isEmpty();
        domain.evict(evict);
        domain.gone("p");
        assertThat(domain.rows.keySet()).noneMatch(row -> row.startsWith("HOLDS") || row.startsWith("WORKLOADS"));
    }

    @Test
    void howOftenASignalWasRaisedOutlivesANewIngest() {
        policy(new HealthEviction(false, 0, 0, HELD, 55));
        domain.node("n1", 4);
        for (int raise = 1; raise <= 3; raise++) {
            report("n1", ofNode());
            if (raise < 3) {
                report("n1");
            }
        }
        // A list of the next epoch in which the node has no signal.
        domain.apply(new ResyncBegan(TestDomain.CLUSTER, Kinds.GPU_HEALTH, 2));
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.GPU_HEALTH, 2, 0));
        domain.lonePod("p", 0, TestDomain.gpus(1));
        assertThat(places(tick()))
                .as("raised 3 times: it counts until it is quiet")
                .isEmpty();
        domain.pass(600_000);
        assertThat(places(tick())).containsExactly("p@n1");
    }
}
