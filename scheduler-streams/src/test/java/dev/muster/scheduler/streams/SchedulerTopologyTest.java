package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.serde.LocalRegistry;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerTopologyTest {
    private final DrivenDomain driven = new DrivenDomain(new LocalRegistry());

    @AfterEach
    void close() {
        driven.close();
    }

    @Test
    void aGangGoesInAsEventsAndComesOutAsOneDecision() {
        TestDomain plain = TestDomain.synced();
        plain.node("n1", 8);
        plain.node("n2", 8);
        plain.podGroup("train", 2);
        plain.gangPods("train", 2, TestDomain.gpus(8));
        plain.tick();

        driven.feed(plain.journal);

        assertThat(driven.decisions())
                .isEqualTo(plain.decisions)
                .singleElement()
                .satisfies(decision -> {
                    Action.PlaceGang place = (Action.PlaceGang) decision.action();
                    assertThat(place.nodes())
                            .extracting(Action.NodePlacement::node)
                            .containsExactly("n1", "n2");
                });
        assertThat(driven.journal()).isEqualTo(plain.journal);
        assertThat(driven.statuses().get("prod/c1/ml/VolcanoPodGroup/train").getState())
                .isEqualTo(WorkloadState.PLACED);
        assertThat(driven.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theTopologyDecidesAndJournalsAsThePureCoreDoes(long seed) {
        TestDomain plain = History.of(seed);

        driven.feed(plain.journal);

        assertThatListsAreEqual(driven.journal(), plain.journal);
        assertThatListsAreEqual(driven.decisions(), plain.decisions);
        assertThat(driven.rows()).containsExactlyInAnyOrderElementsOf(plain.rows.values());
    }

    @Test
    void theFirstEntryNamesTheEngine() {
        driven.send(pod());

        assertThat(driven.journal().getFirst())
                .isEqualTo(new JournalEntry(0, 1_000_000, new EngineStarted(Engine.VERSION)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRepeatedEventChangesNothingAndIsNotJournaled(long seed) {
        TestDomain plain = History.of(seed);

        for (JournalEntry entry : plain.journal) {
            driven.feed(List.of(entry, entry));
        }

        assertThatListsAreEqual(driven.journal(), plain.journal);
        assertThatListsAreEqual(driven.decisions(), plain.decisions);
        assertThat(driven.meters
                        .get("muster.scheduler.entries.ignored")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    void aTombstoneIsPassedOver() {
        driven.sendBytes(DrivenDomain.TOPICS.pods(), null);

        assertThat(driven.journal()).isEmpty();
        assertThat(driven.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void aWallClockThatIsSetAnewTakesNoPlacementBackAndLetsNoneStandForEver(long step) {
        TestDomain plain = TestDomain.synced();
        plain.node("n1", 8);
        plain.lonePod("p", 0, TestDomain.gpus(1));
        plain.tick();
        driven.feed(plain.journal);
        Action.PlaceGang place =
                (Action.PlaceGang) driven.decisions().getFirst().action();
        long placedMillis = plain.journal.getLast().timeMillis();
        long givenMillis = place.deadlineMillis() - placedMillis;

        driven.clock.stepWall(step);
        driven.clock.set(placedMillis + givenMillis * 9 / 10 - 1_000);
        driven.tick();
        assertThat(driven.decisions()).isEmpty();

        driven.clock.set(placedMillis + givenMillis * 10 / 9 + 1_000);
        driven.tick();
        assertThat(driven.decisions())
                .singleElement()
                .satisfies(decision -> assertThat(decision.action()).isInstanceOf(Action.Revoke.class));
        assertThat(driven.journal()).isSortedAccordingTo(Comparator.comparingLong(JournalEntry::timeMillis));
    }

    @Test
    void aForgottenWorkloadLeavesATombstone() {
        TestDomain plain = TestDomain.synced();
        plain.node("n1", 8);
        plain.lonePod("p", 0, TestDomain.gpus(1));
        plain.gone("p");

        driven.feed(plain.journal);

        assertThat(driven.statuses()).containsEntry("prod/c1/ml/Pod/p/uid-p", null);
    }

    @Test
    void aBrokenLawStopsTheDomainBeforeAnythingOfTheEntryIsWritten() {
        driven.send(pod());
        driven.journal();
        driven.vitals.halt(0, "a law was broken");

        assertThatThrownBy(() -> driven.send(pod())).hasRootCauseInstanceOf(DomainHaltedException.class);

        driven.tick();
        assertThat(driven.journal()).isEmpty();
    }

    /** Names the first difference instead of printing both lists. */
    private static <T> void assertThatListsAreEqual(List<T> actual, List<T> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as("element %d", i).isEqualTo(expected.get(i));
        }
        assertThat(actual).hasSameSizeAs(expected).isNotEmpty();
    }

    private static PodChanged pod() {
        TestDomain plain = new TestDomain();
        plain.lonePod("p", 0, TestDomain.gpus(1));
        return plain.pods.get("p");
    }
}
