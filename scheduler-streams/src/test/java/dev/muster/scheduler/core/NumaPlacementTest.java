package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.model.AlignedContainer;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known of a node's NUMA nodes: reports, what was placed since, what pods of others have, what kubelets refuse. */
class NumaPlacementTest {
    private static final String GPU = "nvidia.com/gpu";

    private final TestDomain domain = TestDomain.synced();

    private static Requirement gpus(int count) {
        return TestDomain.gpus(count)
                .withAlignedContainers(
                        List.of(new AlignedContainer(AlignedContainer.Kind.MAIN, List.of(new Amount(GPU, count)))));
    }

    /** A report of zones of 4 GPUs each. */
    private void report(String node, int... available) {
        List<NumaFacts.Zone> zones = new ArrayList<>();
        for (int zone = 0; zone < available.length; zone++) {
            List<Amount> all = List.of(new Amount(GPU, 4));
            List<Amount> free = List.of(new Amount(GPU, available[zone]));
            zones.add(new NumaFacts.Zone("node-" + zone, all, all, free, List.of()));
        }
        domain.apply(new NumaChanged(domain.origin("", node), new NumaFacts("single-numa-node", "pod", zones)));
    }

    private void found(String pod, String node, Requirement requirement, NumaPlacement annotated) {
        domain.apply(new PodChanged(
                domain.origin("ml", pod),
                new PodFacts(
                        "other",
                        false,
                        "Running",
                        node,
                        false,
                        false,
                        0,
                        true,
                        null,
                        "",
                        -1,
                        "",
                        requirement,
                        List.of(),
                        "",
                        0,
                        new java.util.TreeMap<>(),
                        false,
                        annotated)));
    }

    private void wants(String pod, int gpus) {
        domain.lonePod(pod, 0, gpus(gpus));
    }

    private static String zone(Decision decision) {
        return TestDomain.members(decision)
                .getFirst()
                .numa()
                .shares()
                .getFirst()
                .zone();
    }

    @Test
    void whatWasPlacedSinceTheReportCountsAgainstIt() {
        domain.node("n", 8);
        report("n", 4, 4);
        wants("a", 3);
        wants("b", 3);
        wants("c", 2);

        List<Decision> decisions = domain.tick();

        assertThat(decisions).extracting(NumaPlacementTest::zone).containsExactly("node-0", "node-1");
        domain.restart();
        decisions.forEach(domain::carryOut);
        assertThat(domain.tick()).isEmpty();
        domain.restart();
        domain.gone("b");
        assertThat(domain.tick()).extracting(NumaPlacementTest::zone).containsExactly("node-1");
    }

    @Test
    void theDevicesOfAPlacementAreThoseOfItsZones() {
        domain.node("n", 8);
        report("n", 1, 4);
        wants("a", 2);

        Action.PlaceGang place = (Action.PlaceGang) domain.tick().getFirst().action();

        assertThat(place.nodes().getFirst().members().getFirst().devices()).containsExactly(4, 5);
    }

    @Test
    void aLateReportTakesNothingAwayFromPods() {
        domain.node("n", 8);
        report("n", 4, 4);
        wants("a", 3);
        domain.tick().forEach(domain::carryOut);

        report("n", 4, 4);
        wants("b", 4);

        assertThat(domain.tick()).extracting(NumaPlacementTest::zone).containsExactly("node-1");
    }

    @Test
    void aReportThatShowsAPodElsewhereIsRight() {
        domain.node("n", 8);
        report("n", 4, 4);
        wants("a", 3);
        domain.tick().forEach(domain::carryOut); // foreseen in zone 0

        report("n", 4, 1);
        domain.restart();
        wants("b", 4);

        assertThat(domain.tick()).extracting(NumaPlacementTest::zone).containsExactly("node-0");
    }

    @Test
    void aPodOfOthersThatTheReportShowsCountsOnceWhateverComesFirst() {
        domain.node("first", 8);
        found("other-1", "first", gpus(2), NumaPlacement.NONE);
        report("first", 4, 2);
        wants("a", 4);
        assertThat(domain.tick()).hasSize(1);
        wants("b", 2);
        assertThat(domain.tick()).hasSize(1);

        domain.node("second", 8);
        report("second", 4, 2);
        found("other-2", "second", gpus(2), NumaPlacement.NONE);
        wants("c", 4);
        assertThat(domain.tick()).hasSize(1);
        domain.restart();
        wants("d", 2);
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void whatNobodyKnownHasStaysTakenUntilAReportSaysOtherwise() {
        domain.node("n", 8);
        report("n", 1, 1);
        wants("a", 2);
        assertThat(domain.tick()).isEmpty();
        domain.restart();
        assertThat(domain.tick()).isEmpty();

        report("n", 1, 2);
        assertThat(domain.tick()).extracting(NumaPlacementTest::zone).containsExactly("node-1");
    }

    @Test
    void anAnnotationSaysWhereAPodIsThatNobodyHeldRoomFor() {
        domain.node("n", 8);
        report("n", 4, 4);
        found("other", "n", gpus(2), new NumaPlacement(List.of(new NumaShare("node-1", GPU, 2))));
        wants("a", 4);
        assertThat(domain.tick()).extracting(NumaPlacementTest::zone).containsExactly("node-0");
    }

    @Test
    void aNodeThatTurnedSuchAPodAwayIsLeftAloneUntilItsNextReport() {
        domain.node("n", 8);
        report("n", 4, 4);
        wants("a", 4);
        domain.tick().forEach(domain::carryOut);
        domain.turnedAway("a");
        domain.restart();

        wants("again", 4);
        wants("smaller", 2);
        assertThat(domain.tick())
                .flatExtracting(TestDomain::members)
                .extracting(Action.MemberPlacement::name)
                .containsExactly("smaller");

        report("n", 4, 4);
        assertThat(domain.tick())
                .flatExtracting(TestDomain::members)
                .extracting(Action.MemberPlacement::name)
                .containsExactly("again");
    }

    @Test
    void withoutAReportAPodThatEndsIsReasonEnoughToTryAgain() {
        domain.node("n", 8);
        wants("b", 2);
        domain.tick().forEach(domain::carryOut);
        wants("a", 4);
        domain.tick().forEach(domain::carryOut);
        domain.turnedAway("a");
        wants("again", 4);
        assertThat(domain.tick()).isEmpty();

        domain.gone("b");

        assertThat(domain.tick()).hasSize(1);
    }
}
