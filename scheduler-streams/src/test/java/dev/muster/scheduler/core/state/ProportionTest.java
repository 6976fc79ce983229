package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.state.Proportion.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProportionTest {
    /** Volcano's documentation, Queue: 4 cpu, weights 1 and 3. */
    @Test
    void weightsDivideWhatIsThere() {
        assertThat(Proportion.divide(4000, List.of(claim("default", 1, 0, 4000), claim("test", 3, 0, 4000))))
                .isEqualTo(Map.of("default", 1000L, "test", 3000L));
    }

    @Test
    void whatOneDoesNotTakeOthersShareByTheirWeights() {
        assertThat(Proportion.divide(12, List.of(claim("a", 1, 0, 2), claim("b", 1, 0, 12), claim("c", 4, 0, 12))))
                .isEqualTo(Map.of("a", 2L, "b", 2L, "c", 8L));
    }

    @Test
    void whatIsGuaranteedIsTakenOffFirst() {
        assertThat(Proportion.divide(12, List.of(claim("a", 1, 6, 12), claim("b", 1, 0, 12), claim("c", 1, 0, 12))))
                .isEqualTo(Map.of("a", 6L, "b", 3L, "c", 3L));
        assertThat(Proportion.divide(4, List.of(claim("a", 1, 6, 6), claim("b", 1, 0, 9))))
                .as("more than there is")
                .isEqualTo(Map.of("a", 6L, "b", 0L));
    }

    @Test
    void whatCannotBeDividedGoesToTheFirstByName() {
        assertThat(Proportion.divide(8, List.of(claim("c", 1, 0, 9), claim("b", 1, 0, 9), claim("a", 1, 0, 9))))
                .isEqualTo(Map.of("a", 3L, "b", 3L, "c", 2L));
    }

    @Test
    void largeAmountsAndWeightsDoNotOverflow() {
        long whole = 1L << 60;
        assertThat(Proportion.divide(
                        whole, List.of(claim("a", 2_000_000_000, 0, whole), claim("b", 1_000_000, 0, whole))))
                .isEqualTo(Map.of("a", whole / 2, "b", whole / 2));
    }

    /** The level to which all are filled, each by its weight and within its bounds, is looked for by halving. */
    @Test
    void agreesWithFillingToOneLevel() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            long whole = random.nextInt(1_000_000);
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(8); i++) {
                long least = random.nextInt(3) == 0 ? random.nextInt(200_000) : 0;
                claims.add(claim("q" + i, 1 + random.nextInt(5), least, least + random.nextInt(400_000)));
            }

            TreeMap<String, Long> given = Proportion.divide(whole, claims);

            long least = claims.stream().mapToLong(Claim::least).sum();
            long most = claims.stream().mapToLong(Claim::most).sum();
            assertThat(given.values().stream().mapToLong(Long::longValue).sum())
                    .as("seed %d: all that can be taken", seed)
                    .isEqualTo(Math.max(least, Math.min(most, whole)));
            double level = level(whole, claims);
            for (Claim claim : claims) {
                assertThat((double) given.get(claim.name()))
                        .as("seed %d: %s", seed, claim)
                        .isBetween(at(level, claim) - claims.size(), at(level, claim) + claims.size());
            }
        }
    }

    private static double level(long whole, List<Claim> claims) {
        double low = 0;
        double high = 1e7;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            boolean above =
                    claims.stream().mapToDouble(claim -> at(middle, claim)).sum() > whole;
            low = above ? low : middle;
            high = above ? middle : high;
        }
        return low;
    }

    private static double at(double level, Claim claim) {
        return Math.max(claim.least(), Math.min(claim.most(), level * claim.weight()));
    }

    private static Claim claim(String name, int weight, long least, long most) {
        return new Claim(name, weight, least, most);
    }
}
