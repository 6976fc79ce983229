package dev.muster.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.ingest.map.Refusal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangeFilterTest {

    private final ChangeFilter filter = new ChangeFilter();

    private static ObjectId id(String name, String uid, long version) {
        return new ObjectId("ns", name, uid, version);
    }

    private static Projection.Facts facts(long content) {
        return new Projection.Facts(origin -> null, new Fingerprint(content, content), false, List.of());
    }

    private static final Projection.Facts NONE = new Projection.Facts(null, null, false, List.of());

    private static Projection.Facts refused(String why) {
        return new Projection.Facts(null, null, false, List.of(new Refusal(Refusal.INVALID, "spec", why)));
    }

    private static Projection.Facts quiet(long content) {
        return new Projection.Facts(origin -> null, new Fingerprint(content, content), true, List.of());
    }

    @Test
    void aNewObjectIsPublishedOnce() {
        assertThat(filter.seen(id("p", "u", 5), facts(1)).upsert()).isTrue();
        assertThat(filter.seen(id("p", "u", 5), facts(1)).changes()).isFalse();
    }

    @Test
    void aNewerVersionWithEqualFactsIsNotPublished() {
        filter.seen(id("p", "u", 5), facts(1));
        assertThat(filter.seen(id("p", "u", 9), facts(1)).changes()).isFalse();
        assertThat(filter.seen(id("p", "u", 10), facts(2)).upsert()).isTrue();
    }

    @Test
    void anOlderVersionChangesNothingEvenWithOtherFacts() {
        filter.seen(id("p", "u", 5), facts(1));
        assertThat(filter.seen(id("p", "u", 4), facts(2)).changes()).isFalse();
        assertThat(filter.seen(id("p", "older", 3), facts(3)).changes()).isFalse();
    }

    @Test
    void aVersionThatIsNoNumberIsTakenAsNews() {
        filter.seen(id("p", "u", 0), facts(1));
        assertThat(filter.seen(id("p", "u", 0), facts(2)).upsert()).isTrue();
    }

    @Test
    void aNewUidIsTheDeletionOfTheOldObjectAndANewOne() {
        filter.seen(id("p", "old", 5), facts(1));
        ChangeFilter.Verdict verdict = filter.seen(id("p", "new", 8), facts(1));
        assertThat(verdict.delete()).hasValue(id("p", "old", 8));
        assertThat(verdict.upsert()).isTrue();
        assertThat(filter.deleted(id("p", "old", 7))).isEmpty();
        assertThat(filter.size()).isEqualTo(1);
    }

    @Test
    void aDeletedObjectIsReportedOnceAndALateEventDoesNotBringItBack() {
        filter.seen(id("p", "u", 5), facts(1));
        assertThat(filter.deleted(id("p", "u", 9))).hasValue(id("p", "u", 9));
        assertThat(filter.deleted(id("p", "u", 9))).isEmpty();
        assertThat(filter.seen(id("p", "u", 6), facts(2)).changes()).isFalse();
        assertThat(filter.seen(id("p", "v", 10), facts(1)).upsert()).isTrue();
    }

    @Test
    void aDeletionThatArrivesBeforeItsObjectWins() {
        assertThat(filter.deleted(id("p", "u", 9))).isEmpty();
        assertThat(filter.seen(id("p", "u", 5), facts(1)).changes()).isFalse();
    }

    @Test
    void whatAListNoLongerHasIsMissingUnlessItIsNewerThanTheList() {
        filter.seen(id("a", "ua", 5), facts(1));
        filter.seen(id("b", "ub", 6), facts(1));
        filter.seen(id("c", "uc", 50), facts(1));
        assertThat(filter.missing(Set.of("ns/a"), 40)).containsExactly(id("b", "ub", 40));
    }

    @Test
    void anObjectThatIsOfNoUseAnyMoreIsDeletedAndCanComeBack() {
        filter.seen(id("p", "u", 5), facts(1));
        assertThat(filter.seen(id("p", "u", 6), NONE).delete()).hasValue(id("p", "u", 6));
        assertThat(filter.seen(id("p", "u", 7), NONE).changes()).isFalse();
        assertThat(filter.seen(id("p", "u", 8), facts(1)).upsert()).isTrue();
    }

    @Test
    void aRefusalIsToldOnceForEachChangeOfItsReason() {
        assertThat(filter.seen(id("p", "u", 5), refused("bad")).refused()).isTrue();
        assertThat(filter.seen(id("p", "u", 6), refused("bad")).refused()).isFalse();
        assertThat(filter.seen(id("p", "u", 7), refused("worse")).refused()).isTrue();
    }

    @Test
    void quietFactsNeedNoRecordUntilLoudOnesWerePublished() {
        assertThat(filter.seen(id("n", "u", 5), quiet(0)).changes()).isFalse();
        assertThat(filter.seen(id("n", "u", 6), facts(1)).upsert()).isTrue();
        ChangeFilter.Verdict recovered = filter.seen(id("n", "u", 7), quiet(0));
        assertThat(recovered.upsert()).isTrue();
        assertThat(recovered.delete()).isEmpty();
        assertThat(filter.seen(id("n", "u", 8), quiet(0)).changes()).isFalse();
    }

    @Test
    void judgingTakesNoNote() {
        assertThat(filter.judge(id("p", "u", 5), facts(1)).upsert()).isTrue();
        assertThat(filter.judge(id("p", "u", 5), facts(1)).upsert()).isTrue();
        assertThat(filter.size()).isZero();
    }
}
