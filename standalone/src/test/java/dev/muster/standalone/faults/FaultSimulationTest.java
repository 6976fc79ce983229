package dev.muster.standalone.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The whole system under faults, by seed. {@code -Dmuster.seed=N} plays one seed, {@code -Dmuster.seeds=N} the first N (200
 * unless said otherwise); {@link FaultSimulation} plays as many as one likes.
 */
class FaultSimulationTest {
    private static final int SEEDS = Integer.getInteger("muster.seeds", 200);
    private static final int FRESH = Integer.getInteger("muster.fresh", 8);
    /** Every so many seeds run twice, for equal bytes; those of the list and the fresh ones always do. */
    private static final int TWICE_EVERY = 10;

    @BeforeAll
    static void quiet() {
        FaultSimulation.quiet();
    }

    @Test
    void seedsThatFailedOncePass() {
        assertThat(play(FailedSeeds.ALL.keySet().stream().mapToLong(seed -> seed), 1))
                .isEmpty();
    }

    @Test
    void theFirstSeedsPass() {
        Long one = Long.getLong("muster.seed");
        assertThat(one != null ? play(LongStream.of(one), 1) : play(LongStream.rangeClosed(1, SEEDS), TWICE_EVERY))
                .isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(
            named = "muster.fresh",
            matches = "[1-9]\\d*",
            disabledReason =
                    "a few of a thousand fresh seeds still fail (docs/HACKING.md): run with -Dmuster.fresh=N to look for more")
    void freshSeedsPass() {
        long first = System.currentTimeMillis() / 1000 * 1000;
        System.out.println("fresh seeds from " + first + "; to repeat one: " + FaultSimulation.repeat(first));
        assertThat(play(LongStream.range(first, first + FRESH), 1)).isEmpty();
    }

    @Test
    void aSeedWithoutItsFaultsPassesToo() {
        Simulation.Result result = Simulation.run(new Simulation.Play(1, Set.of(Fault.values()), Integer.MAX_VALUE));

        assertThat(result.violation()).isEmpty();
        assertThat(result.struck()).isEmpty();
        assertThat(result.decisions()).isPositive();
    }

    /** Plays seeds on all cores and gives what failed, each with the command that repeats it. */
    private static List<String> play(LongStream seeds, int twiceEvery) {
        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        long[] all = seeds.toArray();
        AtomicInteger next = new AtomicInteger();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            players.add(Thread.ofPlatform().start(() -> {
                for (int at = next.getAndIncrement(); at < all.length; at = next.getAndIncrement()) {
                    long seed = all[at];
                    Simulation.Result result = seed % twiceEvery == 0
                            ? FaultSimulation.twice(seed)
                            : Simulation.run(Simulation.Play.of(seed));
                    if (!result.passed()) {
                        failed.add("seed " + seed + ", repeat with: " + FaultSimulation.repeat(seed) + "\n"
                                + result.violation());
                    }
                }
            }));
        }
        for (Thread player : players) {
            try {
                player.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts here", e);
            }
        }
        return failed;
    }
}
