package dev.muster.scheduler.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DecayTest {
    private static final long WEEK = 7 * 86_400_000L;

    @Test
    void afterAHalfLifeHalfOfTheDifferenceIsLeft() {
        assertThat(Decay.towards(1 << 20, 0, WEEK, WEEK)).isEqualTo(1 << 19);
        assertThat(Decay.towards(0, 1 << 20, WEEK, WEEK)).isEqualTo(1 << 19);
        assertThat(Decay.towards(1 << 20, 1 << 20, WEEK / 3, WEEK)).isEqualTo(1 << 20);
        assertThat(Decay.towards(1 << 20, 0, 3 * WEEK, WEEK)).isEqualTo(1 << 17);
    }

    @Test
    void withoutAHalfLifeOnlyWhatIsSeenCounts() {
        assertThat(Decay.towards(100, 7, 1, 0)).isEqualTo(7);
        assertThat(Decay.towards(1L << 61, 7, 100 * WEEK, WEEK)).isEqualTo(7);
    }

    /** Against the same in floating point. */
    @Test
    void anyTimeIsAPowerOfTwo() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long halfLife = 1 + random.nextLong(WEEK);
            long millis = random.nextLong(4 * WEEK);
            long before = random.nextLong(1L << 40);
            long seen = random.nextLong(1L << 40);
            double exact = seen + (before - seen) * Math.pow(2, -(double) millis / halfLife);
            long error = (long) (Math.abs(before - seen) * 1e-8) + 2;
            assertThat((double) Decay.towards(before, seen, millis, halfLife)).isCloseTo(exact, within((double) error));
        }
    }

    @Test
    void theLargestAmountsKeepTheirSign() {
        assertThat(Decay.towards(1L << 61, 0, WEEK, WEEK)).isEqualTo(1L << 60);
        assertThat(Decay.towards(0, 1L << 61, WEEK, WEEK)).isEqualTo(1L << 60);
    }
}
