package dev.muster.scheduler.core.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.model.QuotaObject.Fungibility;
import dev.muster.scheduler.core.round.FlavorSearch.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kueue's table of flavorFungibility: what stops the search, and what is best where nothing does. */
class FlavorAttemptsTest {

    /**
     * Flavors are letters in their order, with what each has: {@code o} own quota now, {@code b} quota by borrowing now,
     * {@code p} own quota if others went, {@code q} borrowed quota if others went. Attempts are the flavor, with {@code !} where
     * others are to go.
     */
    @ParameterizedTest(name = "{0}: borrow stops {1}, preempt stops {2}, preemption first {3}")
    @CsvSource({
        "Ap Bo, true, true, false, A! B B!",
        "Ao Bo, true, true, false, A A! B B!",
        "Ab Bo, true, true, false, A A! B B!",
        "Ab Bo, false, true, false, B B! A A!",
        "Ap Bb, false, false, true, A! B B!",
        "Ap Bb, false, false, false, B A! B!",
        "Aq Bb, false, false, true, B A! B!",
        "Aq Bo, true, true, false, A! B B!",
        "Aq Bo, false, true, false, B B! A!",
        "Ap Bo, false, false, true, B A! B!",
    })
    void flavorsAreTriedInTheOrderThatTheQueueAsksFor(
            String flavors, boolean borrowStops, boolean preemptStops, boolean preemptionFirst, String expected) {
        List<Assignment> fitting = new ArrayList<>();
        List<Assignment> all = new ArrayList<>();
        for (String each : flavors.split(" ")) {
            String flavor = each.substring(0, 1);
            String has = each.substring(1);
            boolean borrows = has.equals("b") || has.equals("q");
            all.add(new Assignment(of(flavor), borrows, false));
            if (has.equals("o") || has.equals("b")) {
                fitting.add(new Assignment(of(flavor), borrows, false));
            }
        }

        List<Assignment> tried =
                new FlavorAttempts(new Fungibility(borrowStops, preemptStops, preemptionFirst), fitting, all).inOrder();

        assertThat(tried.stream().map(FlavorAttemptsTest::text).collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }

    private static SortedMap<String, SortedMap<String, String>> of(String flavor) {
        return new TreeMap<>(Map.of("main", new TreeMap<>(Map.of("nvidia.com/gpu", flavor))));
    }

    private static String text(Assignment tried) {
        return tried.flavors().get("main").get("nvidia.com/gpu") + (tried.byPreemption() ? "!" : "");
    }
}
