package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.DeviceGroup;
import dev.muster.scheduler.core.model.DeviceGroup.Link;
import dev.muster.scheduler.core.model.GpuWish;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.Requirement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which GPUs and nodes pods get where it is known which GPUs are close to each other. */
class GpuIslandsTest {
    private final TestDomain domain = TestDomain.synced();
    private int pods;

    private void node(String name, int gpus, DeviceGroup... groups) {
        NodeFacts facts = TestDomain.nodeFacts(name, gpus, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", name),
                new NodeFacts(facts.labels(), List.of(), false, true, facts.allocatable(), gpus, List.of(groups))));
    }

    private static DeviceGroup island(Integer... devices) {
        return new DeviceGroup(Link.NVLINK, List.of(devices));
    }

    private static DeviceGroup sameSwitch(Integer... devices) {
        return new DeviceGroup(Link.PCIE, List.of(devices));
    }

    private static Requirement linked(int gpus) {
        return TestDomain.gpus(gpus).withGpus(new GpuWish(true, 0));
    }

    private Action.NodePlacement place(Requirement requirement) {
        domain.restart();
        domain.lonePod("p" + pods++, 0, requirement);
        List<Decision> decisions = domain.tick();
        return decisions.isEmpty()
                ? null
                : ((Action.PlaceGang) decisions.getLast().action()).nodes().getFirst();
    }

    private List<Integer> devices(Requirement requirement) {
        Action.NodePlacement placement = place(requirement);
        return placement == null ? null : placement.members().getFirst().devices();
    }

    @Test
    void theSmallestIslandThatHoldsThemIsTaken() {
        node("n1", 9, island(0, 2, 4, 6), island(1, 3), island(5, 7, 8));
        assertThat(devices(TestDomain.gpus(2))).containsExactly(1, 3);
        assertThat(devices(TestDomain.gpus(2))).containsExactly(5, 7);
        assertThat(devices(TestDomain.gpus(1)))
                .as("what is left of a broken one")
                .containsExactly(8);
        assertThat(devices(TestDomain.gpus(4))).containsExactly(0, 2, 4, 6);
    }

    @Test
    void whatNoIslandHoldsComesFromAsFewAsPossible() {
        node("n1", 8, island(0, 1, 2), island(3, 4, 5), island(6, 7));
        assertThat(devices(TestDomain.gpus(5))).containsExactly(0, 1, 2, 6, 7);
    }

    @Test
    void insideAnIslandAsFewSwitchesAsPossibleAreUsed() {
        node("n1", 6, island(0, 1, 2, 3, 4, 5), sameSwitch(0, 1, 2), sameSwitch(3, 4), sameSwitch(5));
        assertThat(devices(TestDomain.gpus(2))).containsExactly(3, 4);
        assertThat(devices(TestDomain.gpus(1))).containsExactly(5);
        assertThat(devices(TestDomain.gpus(3))).containsExactly(0, 1, 2);
    }

    @Test
    void aShareOpensADeviceOfABrokenIsland() {
        node("n1", 4, island(0, 1), island(2, 3));
        assertThat(devices(TestDomain.gpus(1))).containsExactly(0);
        assertThat(devices(TestDomain.gpuShare(300))).containsExactly(1);
        assertThat(devices(linked(2))).containsExactly(2, 3);
    }

    @ParameterizedTest(name = "{0} linked GPUs: {1}")
    @CsvSource({"2, true", "3, true", "4, false", "0, true"})
    void linkedOnesWaitForAnIslandThatHoldsThem(int gpus, boolean placed) {
        node("n1", 6, island(0, 1, 2), island(3, 4, 5));
        assertThat(devices(linked(gpus)) != null).isEqualTo(placed);
    }

    @Test
    void whereNothingIsKnownOfLinksNothingIsPromised() {
        node("n1", 8);
        assertThat(devices(linked(2))).isNull();
        assertThat(domain.statuses.values().iterator().next().reason().message())
                .contains("could hold 0 even if it were empty");
        assertThat(devices(TestDomain.gpus(2))).containsExactly(0, 1);
    }

    @Test
    void aDeviceWhoseLinkIsDownIsInNoIslandButGoodForOnePod() {
        node("n1", 4, island(0, 1, 2, 3));
        domain.apply(new HealthChanged(
                domain.origin("", "n1"),
                List.of(new HealthSignal(
                        HealthSignal.Scope.LINK,
                        0,
                        "NVLINK",
                        HealthSignal.Severity.FATAL,
                        "down",
                        "annotation",
                        1,
                        0))));
        assertThat(devices(linked(3))).isNull();
        assertThat(devices(linked(2))).containsExactly(2, 3);
        assertThat(devices(TestDomain.gpus(1))).containsExactly(0);
    }

    @Test
    void aBrokenIslandOfAnotherNodeComesBeforeAWholeOne() {
        node("n1", 4, island(0, 1), island(2, 3));
        node("n2", 4, island(0, 1), island(2, 3));
        assertThat(place(TestDomain.gpus(1)).node()).isEqualTo("n1");
        assertThat(place(TestDomain.gpus(1)).node()).isEqualTo("n1");
        assertThat(place(TestDomain.gpus(3)).node()).as("apart, wherever").isEqualTo("n2");
        assertThat(place(TestDomain.gpus(1)).node())
                .as("fills the island on n2")
                .isEqualTo("n2");
        assertThat(place(linked(2)).node()).isEqualTo("n1");
    }

    @Test
    void whereNobodyChoosesNumaNodesThePartOfEachFollowsTheIsland() {
        node("n1", 8, island(0, 1), island(2, 4), island(3, 5), island(6, 7));
        numa("none");
        Requirement two = aligned(2);
        assertThat(devices(aligned(1))).containsExactly(0);
        assertThat(devices(aligned(1))).containsExactly(1);
        Action.NodePlacement placement = place(two);
        assertThat(placement.members().getFirst().devices()).containsExactly(2, 4);
        assertThat(placement.members().getFirst().numa().shares())
                .extracting(share -> share.zone() + " " + share.amount())
                .containsExactly("node-0 1", "node-1 1");
    }

    @Test
    void whereTheKubeletChoosesTheNumaNodeTheIslandIsChosenInIt() {
        node("n1", 8, island(0, 2), island(1, 3), island(4, 6), island(5, 7));
        numa("single-numa-node");
        assertThat(devices(aligned(2))).containsExactly(0, 2);
        assertThat(devices(aligned(1))).containsExactly(1);
        assertThat(devices(aligned(2))).as("node-0 has one left").containsExactly(4, 6);
    }

    @Test
    void aSickDeviceIsMissingWhereTheKubeletAligns() {
        node("n1", 8);
        numa("single-numa-node");
        domain.apply(new HealthChanged(
                domain.origin("", "n1"),
                IntStream.of(0, 4)
                        .mapToObj(device -> new HealthSignal(
                                HealthSignal.Scope.DEVICE,
                                device,
                                "XID",
                                HealthSignal.Severity.FATAL,
                                "79",
                                "annotation"))
                        .toList()));
        assertThat(devices(aligned(4)))
                .as("no NUMA node has four in good health")
                .isNull();
        assertThat(devices(aligned(3))).containsExactly(1, 2, 3);
    }

    private void numa(String policy) {
        List<Amount> half = List.of(new Amount("nvidia.com/gpu", 4));
        domain.apply(new NumaChanged(
                domain.origin("", "n1"),
                new NumaFacts(
                        policy,
                        "container",
                        List.of(
                                new NumaFacts.Zone("node-0", half, half, half, List.of()),
                                new NumaFacts.Zone("node-1", half, half, half, List.of())))));
    }

    private static Requirement aligned(int gpus) {
        return TestDomain.gpus(gpus)
                .withAlignedContainers(List.of(
                        new AlignedContainer(AlignedContainer.Kind.MAIN, List.of(new Amount("nvidia.com/gpu", gpus)))));
    }
}
