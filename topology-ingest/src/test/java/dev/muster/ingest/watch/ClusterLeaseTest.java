package dev.muster.ingest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterLeaseTest {

    private static final Duration DURATION = Duration.ofSeconds(15);

    private final FakeStore store = new FakeStore();
    private long nanos = 1;

    private ClusterLease lease(String instance) {
        return new ClusterLease(store, instance, UUID.randomUUID(), DURATION, 0, () -> nanos);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void theFirstTakesEpochOneAndKeepsItWhileItRenews() {
        ClusterLease a = lease("a");
        for (int i = 0; i < 20; i++) {
            assertThat(a.turn()).hasValue(1);
            pass(DURATION.dividedBy(3));
        }
    }

    @Test
    void anotherWaitsUntilTheLeaseDidNotChangeForItsDuration() {
        ClusterLease a = lease("a");
        ClusterLease b = lease("b");
        a.turn();
        assertThat(b.turn()).isEmpty();
        pass(Duration.ofSeconds(10));
        a.turn();
        pass(Duration.ofSeconds(10));
        assertThat(b.turn()).isEmpty();
        pass(Duration.ofSeconds(14));
        assertThat(b.turn()).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(b.turn()).hasValue(2);
        assertThat(a.turn()).isEmpty();
    }

    @Test
    void aRestartUnderTheSameNameTakesOverAtOnceAndRisesTheEpoch() {
        ClusterLease before = lease("a");
        before.turn();
        ClusterLease again = lease("a");
        assertThat(again.turn()).hasValue(2);
        assertThat(again.turn()).hasValue(2);
        assertThat(before.turn()).isEmpty();
    }

    @Test
    void twoLivesUnderOneNameDoNotTakeTheLeaseFromEachOtherForEver() {
        ClusterLease one = lease("a");
        ClusterLease two = lease("a");
        one.turn();
        assertThat(two.turn()).hasValue(2);
        for (int i = 0; i < 10; i++) {
            assertThat(one.turn()).isEmpty();
            assertThat(two.turn()).hasValue(2);
            pass(DURATION.dividedBy(3));
        }
    }

    @Test
    void aNameThatBeginsLikeAnotherIsAnother() {
        lease("a-1").turn();
        assertThat(lease("a").turn()).isEmpty();
    }

    @Test
    void aRestartUnderAnotherNameHasToWaitAndRisesTheEpoch() {
        lease("a-1").turn();
        ClusterLease again = lease("a-2");
        assertThat(again.turn()).isEmpty();
        pass(DURATION.plusSeconds(1));
        assertThat(again.turn()).hasValue(2);
    }

    @Test
    void aReleasedLeaseIsTakenAtOnce() {
        ClusterLease a = lease("a");
        a.turn();
        a.release();
        assertThat(lease("b").turn()).hasValue(2);
    }

    @Test
    void whoCannotRenewGoesOnUntilTheLeaseIsSeenInOtherHands() {
        ClusterLease a = lease("a");
        ClusterLease b = lease("b");
        a.turn();
        b.turn();
        store.writable = false;
        pass(DURATION.multipliedBy(2));
        assertThat(a.turn()).hasValue(1);
        assertThat(b.turn()).isEmpty();
        store.writable = true;
        assertThat(b.turn()).hasValue(2);
        assertThat(a.turn()).isEmpty();
    }

    @Test
    void whoWasAwayAndFindsTheLeaseUntouchedKeepsItsEpoch() {
        ClusterLease a = lease("a");
        a.turn();
        pass(DURATION.multipliedBy(20));
        assertThat(a.turn()).hasValue(1);
    }

    @Test
    void aLeaseThatWasDeletedComesBackWithALargerEpoch() {
        ClusterLease a = lease("a");
        a.turn();
        store.stored = null;
        assertThat(a.turn()).hasValue(2);
    }

    @Test
    void epochsStayAboveWhatIsKnownFromElsewhere() {
        assertThat(new ClusterLease(store, "a", UUID.randomUUID(), DURATION, 41, () -> nanos).turn())
                .hasValue(42);
    }

    @Test
    void aConflictMeansThatSomebodyElseWasFaster() {
        ClusterLease a = lease("a");
        store.conflict = true;
        assertThat(a.turn()).isEmpty();
        store.conflict = false;
        assertThat(a.turn()).hasValue(1);
    }

    @Test
    void takingAnewRisesTheEpochOfTheHolder() {
        ClusterLease a = lease("a");
        a.turn();
        a.takeAnew();
        assertThat(a.turn()).hasValue(2);
        assertThat(a.turn()).hasValue(2);
    }

    /** A lease in memory with a resource version. */
    private static final class FakeStore implements LeaseStore {

        private Stored stored;
        private int version;
        private boolean writable = true;
        private boolean conflict;

        @Override
        public Optional<Stored> read() {
            return Optional.ofNullable(stored);
        }

        @Override
        public boolean write(String holder, long epoch, int durationSeconds, String resourceVersion) {
            if (!writable) {
                throw new SourceException(SourceException.Kind.DENIED, "read only");
            }
            String expected = stored == null ? "" : stored.resourceVersion();
            if (conflict || !resourceVersion.equals(expected)) {
                return false;
            }
            version++;
            stored = new Stored(holder, epoch, durationSeconds, "renewal " + version, Integer.toString(version));
            return true;
        }
    }
}
