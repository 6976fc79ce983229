package dev.muster.ingest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void waitsStayBetweenShortestAndLongestAndSpread() {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), new Random(1));
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 200; i++) {
            Duration wait = backoff.next();
            assertThat(wait).isBetween(Duration.ofMillis(500), Duration.ofSeconds(30));
            longest = wait.compareTo(longest) > 0 ? wait : longest;
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(20));
        backoff.reset();
        assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }
}
