package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainClockTest {
    private static final long BEGIN = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000L;

    private long wallMillis = BEGIN;
    private long nanos = 42;

    @Test
    void itRunsWithTheWallClockWhileThatRunsAsItShould() {
        DomainClock clock = clock(0);
        for (int i = 0; i < 1_000; i++) {
            pass(7);
            assertThat(clock.millis()).isEqualTo(wallMillis);
        }
    }

    @Test
    void itSetsOutFromTheDomainsTimeWhereTheWallClockIsBehind() {
        assertThat(clock(BEGIN + 5_000).millis()).isEqualTo(BEGIN + 5_000);
        assertThat(clock(BEGIN - 5_000).millis()).isEqualTo(BEGIN);
    }

    @ParameterizedTest
    @ValueSource(longs = {HOUR, -HOUR, 365 * 24 * HOUR, Long.MAX_VALUE / 2, Long.MIN_VALUE / 2})
    void aStepOfTheWallClockMovesNoDeadlineByMoreThanATenth(long step) {
        DomainClock clock = clock(0);
        wallMillis += step;
        assertThat(clock.millis()).isEqualTo(BEGIN);

        for (int i = 0; i < 3_000; i++) {
            pass(10);
            clock.millis();
        }
        assertThat(clock.millis() - BEGIN).isEqualTo(step > 0 ? 33_000 : 27_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {60_000, -60_000})
    void itComesBackToTheWallClock(long step) {
        DomainClock clock = clock(0);
        wallMillis += step;
        long before = clock.millis();
        for (int i = 0; i < 6_100; i++) {
            pass(100);
            assertThat(clock.millis()).isGreaterThanOrEqualTo(before);
            before = clock.millis();
        }
        assertThat(before).isEqualTo(wallMillis);
    }

    private DomainClock clock(long domainMillis) {
        return new DomainClock(domainMillis, () -> Instant.ofEpochMilli(wallMillis), () -> nanos);
    }

    private void pass(long millis) {
        wallMillis += millis;
        nanos += millis * 1_000_000;
    }
}
