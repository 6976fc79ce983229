package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.SchemaRegistry;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoisonTest {
    private static final int UNKNOWN = 999;
    private static final int RECURSIVE = 1_000;
    private static final int OVERFLOWS = 1_001;
    private static final int EXHAUSTS = 1_002;
    private static final int UNLINKED = 1_003;
    private static final int UNREACHABLE = 1_004;

    private static final Schema CHAIN = new Schema.Parser().parse("""
        {"type": "record", "name": "Chain", "fields": [{"name": "next", "type": ["null", "Chain"]}]}\
        """);

    private final DrivenDomain driven = new DrivenDomain(new HostileRegistry());

    @AfterEach
    void close() {
        driven.close();
    }

    @Test
    void garbageIsRefusedOnceAndTheTaskGoesOn() {
        isRefusedOnce(new byte[] {1, 2, 3}, "Undecodable", "value of 3 bytes, expected at least 5");
        isRefusedOnce(new byte[] {7, 0, 0, 0, 1, 0}, "Undecodable", "first byte is 7");
        isRefusedOnce(new byte[0], "Undecodable", "value of 0 bytes");
    }

    @Test
    void anUnknownSchemaIsRefusedOnceAndTheTaskGoesOn() {
        isRefusedOnce(value(UNKNOWN, 16), "UnknownSchema", "999");
    }

    @Test
    void aRecordFiveThousandDeepIsRefusedOnceAndTheTaskGoesOn() {
        byte[] deep = value(RECURSIVE, 5_001);
        for (int i = 5; i < deep.length - 1; i++) {
            deep[i] = 2;
        }
        isRefusedOnce(deep, "Undecodable", "schema 1000");
    }

    @Test
    void anErrorOfTheDecoderIsRefusedOnceAndTheTaskGoesOn() {
        isRefusedOnce(value(OVERFLOWS, 8), "Undecodable", "StackOverflowError");
        isRefusedOnce(value(EXHAUSTS, 8), "Undecodable", "OutOfMemoryError");
        isRefusedOnce(value(UNLINKED, 8), "Undecodable", "NoClassDefFoundError");
    }

    @Test
    void aRecordOfAnotherDomainIsRefused() {
        PodChanged pod = pod();
        var record = new EventCodec("other").write(pod);
        driven.sendBytes(DrivenDomain.TOPICS.pods(), Bytes.of(new LocalRegistry(), DrivenDomain.TOPICS.pods(), record));
        assertThat(driven.deadLetters()).hasSize(1);
    }

    @Test
    void aRegistryThatCannotBeReachedIsNotTheRecordsFault() {
        assertThatThrownBy(() -> driven.sendBytes(DrivenDomain.TOPICS.pods(), value(UNREACHABLE, 8)))
                .hasCauseInstanceOf(RegistryUnavailableException.class)
                .satisfies(problem -> assertThat(FaultTable.ofThread(problem)).isEqualTo(FaultTable.Fault.RETRY));
        assertThat(driven.deadLetters()).isEmpty();
    }

    @Test
    void tenThousandMutatedRecordsAreEachAnEventOrARefusal() {
        byte[] good = Bytes.of(new LocalRegistry(), DrivenDomain.TOPICS.pods(), new EventCodec("prod").write(pod()));
        driven.send(pod());
        Random random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            byte[] mutated = good.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                mutated[5 + random.nextInt(mutated.length - 5)] = (byte) random.nextInt();
            }
            driven.sendBytes(DrivenDomain.TOPICS.pods(), mutated);
        }
        driven.tick();

        assertThat(driven.deadLetters()).hasSizeBetween(1, 10_000);
        assertThat(driven.vitals.anyHalted()).isFalse();
    }

    private void isRefusedOnce(byte[] value, String reason, String message) {
        driven.sendBytes(DrivenDomain.TOPICS.pods(), value);
        assertThat(driven.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.getReason()).isEqualTo(reason);
            assertThat(letter.getMessage()).contains(message);
            assertThat(letter.getSource()).isEqualTo(DrivenDomain.TOPICS.pods());
            assertThat(letter.getPartition()).isZero();
            assertThat(letter.getOffset()).isNotNegative();
            assertThat(letter.getSizeBytes()).isEqualTo(value.length);
            assertThat(letter.getSha256()).hasSize(64);
        });
        driven.journal();
        driven.send(pod());
        assertThat(driven.deadLetters()).isEmpty();
        assertThat(driven.store(Row.Table.PODS)).hasSize(1);
    }

    private static PodChanged pod() {
        TestDomain plain = new TestDomain();
        plain.lonePod("p", 0, TestDomain.gpus(1));
        return plain.pods.get("p");
    }

    private static byte[] value(int schemaId, int bodyBytes) {
        return ByteBuffer.allocate(5 + bodyBytes).put((byte) 0).putInt(schemaId).array();
    }

    /** Fails in as many ways as it is asked for ids. */
    private static final class HostileRegistry implements SchemaRegistry {
        private final LocalRegistry honest = new LocalRegistry();

        @Override
        public int register(String subject, Schema schema) {
            return honest.register(subject, schema);
        }

        @Override
        public Schema byId(int id) {
            return switch (id) {
                case RECURSIVE -> CHAIN;
                case OVERFLOWS -> throw new StackOverflowError();
                case EXHAUSTS -> throw new OutOfMemoryError("as a bomb would");
                case UNLINKED -> throw new NoClassDefFoundError("dev/muster/Gone");
                case UNREACHABLE -> nowhere().byId(id);
                default -> honest.byId(id);
            };
        }

        private static RegistryClient nowhere() {
            return new RegistryClient(new RegistryConfig(
                    List.of(URI.create("http://127.0.0.1:1")),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofMillis(200)));
        }
    }
}
