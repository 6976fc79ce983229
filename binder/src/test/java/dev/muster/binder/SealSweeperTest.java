package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SealSweeperTest {
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeCluster cluster = new FakeCluster();
    private final SealSweeper sweeper = new SealSweeper(cluster);

    @Test
    void sealsGoADayAfterTheyWereMadeByTheServersOwnTime() {
        seal("old", LONG_AGO);
        seal("younger", LONG_AGO.plus(Duration.ofMinutes(2)));
        seal("newest", LONG_AGO.plus(Duration.ofDays(1)).plus(Duration.ofMinutes(1)));

        sweeper.sweep();

        assertThat(cluster.seals).containsOnlyKeys("younger", "newest");
    }

    @Test
    void theLastSealStaysHoweverOldItIs() {
        seal("only", LONG_AGO);

        sweeper.sweep();

        assertThat(cluster.seals).containsOnlyKeys("only");
    }

    @Test
    void aServerThatDoesNotAnswerIsAskedTheNextTime() {
        seal("old", LONG_AGO);
        seal("newest", LONG_AGO.plus(Duration.ofDays(2)));
        cluster.on("seals all").getsLost();

        assertThatNoException().isThrownBy(sweeper::sweep);
        sweeper.sweep();

        assertThat(cluster.seals).containsOnlyKeys("newest");
    }

    private void seal(String decision, Instant created) {
        cluster.created = created;
        cluster.seal(decision, Seal.BOUND);
    }
}
