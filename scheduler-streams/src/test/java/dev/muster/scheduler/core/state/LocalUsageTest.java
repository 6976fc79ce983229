package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.quota.QuotaUnits;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LocalUsageTest {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final String ONE = "ml/one";
    private static final Requirement GPU = new Requirement(
            List.of(new Amount("nvidia.com/gpu", 1), new Amount("pods", 1)),
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            "");

    private static final SortedMap<String, Long> CHARGE = QuotaUnits.of(GPU.requests(), 0);

    private final LocalUsage usage = new LocalUsage();

    private static FairSharing policy(Map<String, Integer> weights) {
        return new FairSharing(false, List.of(), 0, VolcanoShare.NONE, HOUR, MINUTE, new TreeMap<>(weights), false);
    }

    private static final FairSharing POLICY = policy(Map.of());

    private void charge(int times, long nowMillis) {
        usage.charge(ONE, CHARGE, times, true, POLICY, nowMillis);
    }

    private double gpus(long nowMillis) {
        return usage.usedLately(ONE, 1000, POLICY, nowMillis) / 1024.0;
    }

    /** In parts of a GPU, the next sample included. */
    @Test
    void anAverageMovesHalfOfTheWayInAHalfLife() {
        charge(4, HOUR);
        assertThat(gpus(2 * HOUR - MINUTE)).isCloseTo(2, within(0.01));
        charge(-4, 2 * HOUR);
        assertThat(gpus(3 * HOUR - MINUTE)).isCloseTo(1, within(0.01));
        assertThat(gpus(40 * HOUR)).isZero();
    }

    @Test
    void whatWasJustStartedCountsInTheNextSample() {
        charge(1, HOUR);
        assertThat(gpus(HOUR)).isCloseTo(1 - Math.pow(2, -1.0 / 60), within(0.002));
    }

    @Test
    void samplesTakenOneByOneAreTheSame() {
        LocalUsage often = new LocalUsage();
        often.charge(ONE, CHARGE, 3, true, POLICY, HOUR);
        charge(3, HOUR);
        for (int minute = 1; minute <= 100; minute++) {
            often.sampleAll(POLICY, HOUR + minute * MINUTE);
        }
        long at = HOUR + 100 * MINUTE + 7;
        assertThat((double) often.usedLately(ONE, 1000, POLICY, at))
                .isCloseTo(usage.usedLately(ONE, 1000, POLICY, at), within(2.0));
    }

    @Test
    void aRowRestoresIt() {
        charge(3, HOUR);
        charge(-1, 2 * HOUR + 17);
        LocalUsage restored = new LocalUsage();
        restored.restore(usage.row(ONE));
        restored.countRestored(ONE, CHARGE, 2);
        for (long at = 2 * HOUR + 17; at < 5 * HOUR; at += 31 * MINUTE) {
            assertThat(restored.usedLately(ONE, 1000, POLICY, at)).isEqualTo(usage.usedLately(ONE, 1000, POLICY, at));
        }
        assertThat(restored.row(ONE)).isEqualTo(usage.row(ONE));
    }

    @Test
    void weightsDivideAndMultiply() {
        charge(4, HOUR);
        long plain = usage.usedLately(ONE, 1000, POLICY, 2 * HOUR);
        assertThat(usage.usedLately(ONE, 4000, POLICY, 2 * HOUR)).isEqualTo(plain / 4);
        assertThat(usage.usedLately(ONE, 0, POLICY, 2 * HOUR)).isEqualTo(Long.MAX_VALUE);
        FairSharing none = policy(Map.of("nvidia.com/gpu", 0));
        assertThat(usage.usedLately(ONE, 1000, none, 2 * HOUR)).isZero();
        assertThat(usage.usedLately("ml/other", 0, POLICY, 2 * HOUR)).isZero();
    }
}
