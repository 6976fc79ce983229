package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.SchemaRegistry;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecRoundTripTest {
    private static final int SEEDS = 100;

    private final SchemaRegistry registry = new LocalRegistry();

    @ParameterizedTest
    @MethodSource("kindsOfEvents")
    void everyKindOfEventComesBackFromTheJournalAsItWas(Class<? extends ClusterEvent> kind) {
        JournalCodec codec = new JournalCodec("prod");
        for (long seed = 0; seed < SEEDS; seed++) {
            JournalEntry entry = new JournalEntry(seed, 1_000 + seed, new Samples(seed).of(kind));

            var record = Bytes.thereAndBack(registry, codec.write(entry, "muster.pods", 7));

            assertThat(codec.read((dev.muster.schemas.journal.JournalEntry) record))
                    .as("seed %d", seed)
                    .isEqualTo(entry);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsOfRows")
    void everyKindOfRowComesBackFromTheChangelogAsItWas(Class<? extends Row> kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Samples(seed).of(kind);

            Row back = RowCodec.read(Bytes.thereAndBack(registry, RowCodec.write(row)));

            assertThat(back).as("seed %d", seed).isEqualTo(row);
            assertThat(RowCodec.write(row)).isInstanceOf(RowCodec.typeOf(row.table()));
        }
    }

    @ParameterizedTest
    @MethodSource("kindsOfActions")
    void everyKindOfDecisionComesBackAsItWasAndGivesTheSameBytes(Class<? extends Action> kind) {
        DecisionCodec codec = new DecisionCodec("prod");
        for (long seed = 0; seed < SEEDS; seed++) {
            Decision decision = new Decision(
                    new DecisionId(seed, 3), 1_000, new WorkloadId("a/b/PodGroup/c"), 2, new Samples(seed).of(kind));

            byte[] first = Bytes.of(registry, "decisions", codec.write(decision));
            var record = Bytes.read(registry, "decisions", dev.muster.schemas.decision.Decision.class, first);

            assertThat(codec.read(record)).as("seed %d", seed).isEqualTo(decision);
            assertThat(Bytes.of(registry, "decisions", codec.write(codec.read(record))))
                    .isEqualTo(first);
            assertThat(AvroSerde.bodyOf(first)).hasSize(first.length - 5);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void aStatusComesBackAsItWas(long seed) {
        StatusCodec codec = new StatusCodec("prod");
        WorkloadStatus status = new Samples(seed).of(WorkloadStatus.class);

        var record = Bytes.thereAndBack(registry, codec.write(status));

        assertThat(codec.read((dev.muster.schemas.decision.WorkloadStatus) record))
                .isEqualTo(status);
    }

    static Stream<Class<?>> kindsOfEvents() {
        return Arrays.stream(ClusterEvent.class.getPermittedSubclasses());
    }

    static Stream<Class<?>> kindsOfRows() {
        return Arrays.stream(Row.class.getPermittedSubclasses());
    }

    private static Stream<Class<?>> kindsOfActions() {
        return Arrays.stream(Action.class.getPermittedSubclasses());
    }
}
