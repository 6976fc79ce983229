package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.NodeTerm;
import dev.muster.schemas.journal.JournalEntry;
import dev.muster.schemas.topic.Topics;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes from strangers: whatever they are, the answer is a record or an {@link UndecodableException}. */
class AvroSerdeGarbageTest {
    /** Of each class; many more by {@code -Dmuster.fuzz=1000000}. */
    private static final int MUTATIONS = Integer.getInteger("muster.fuzz", 4_000);

    private final LocalRegistry registry = new LocalRegistry();

    @Test
    void aValueThatEndsTooEarlyIsUndecodableWhereverItEnds() {
        byte[] value = sample(JournalEntry.class, 0);
        AvroSerde<JournalEntry> serde = new AvroSerde<>(registry, JournalEntry.class);
        for (int length = 0; length < value.length; length++) {
            byte[] truncated = Arrays.copyOf(value, length);
            assertRefused(serde, truncated, UndecodableException.UNDECODABLE);
        }
    }

    @Test
    void bytesAfterTheRecordAreUndecodable() {
        byte[] value = sample(KeyValue.class, 0);
        assertThat(assertRefused(
                        new AvroSerde<>(registry, KeyValue.class),
                        Arrays.copyOf(value, value.length + 3),
                        UndecodableException.UNDECODABLE))
                .hasMessage("3 bytes left over after a KeyValue");
    }

    @Test
    void anotherMagicByteIsUndecodable() {
        byte[] value = sample(KeyValue.class, 0);
        value[0] = '{';
        AvroSerde<KeyValue> serde = new AvroSerde<>(registry, KeyValue.class);
        assertThat(assertRefused(serde, value, UndecodableException.UNDECODABLE))
                .hasMessage("first byte is 123, expected 0 (Confluent wire format)");
        assertThatThrownBy(() -> AvroSerde.bodyOf(value)).isInstanceOf(UndecodableException.class);
    }

    @ParameterizedTest
    @CsvSource({"00000002", "7fffffff", "ffffffff", "00000000"})
    void anIdThatNobodyRegisteredIsAnUnknownSchema(String id) {
        registry.register("s", AvroSerde.schemaOf(KeyValue.class));
        assertRefused(
                new AvroSerde<>(registry, KeyValue.class),
                HexFormat.of().parseHex("00" + id + "0000"),
                UndecodableException.UNKNOWN_SCHEMA);
    }

    @ParameterizedTest
    @CsvSource({
        "feffffff0f, an array of 2^31-1 items",
        "feffffffffffffffff01, an array of 2^63-1 items",
        "ffffffffffffffffff01, an array of -2^63 items",
        "0101, a block of -1 items with a negative size",
        "8080808080808080808080, a number that does not end",
        "02feffffff0f, an item whose string is 2^31-1 long",
        "0201, an item whose string is -1 long",
        "40, 32 items in no bytes"
    })
    void aLengthThatTheBytesCannotHoldIsUndecodable(String body, String what) {
        registry.register("s", AvroSerde.schemaOf(NodeTerm.class));
        assertRefused(
                new AvroSerde<>(registry, NodeTerm.class),
                HexFormat.of().parseHex("00" + "00000001" + body),
                UndecodableException.UNDECODABLE);
    }

    @Test
    void moreItemsThanAnyRecordNeedsAreTooLarge() {
        registry.register("s", AvroSerde.schemaOf(NodeTerm.class));
        // Items of three bytes each: key, operator and values, all empty.
        byte[] value = new byte[5 + 4 + 3 * 600_000 + 1];
        value[4] = 1;
        System.arraycopy(HexFormat.of().parseHex("809f49"), 0, value, 5, 3);
        assertThat(assertRefused(new AvroSerde<>(registry, NodeTerm.class), value, UndecodableException.TOO_LARGE))
                .hasMessage("more than 262144 items");
    }

    @Test
    void aValueAboveTheLimitIsTooLargeAndNotLookedAt() {
        assertThat(assertRefused(
                        new AvroSerde<>(registry, NodeTerm.class, 1_000),
                        new byte[1_001],
                        UndecodableException.TOO_LARGE))
                .hasMessage("value of 1001 bytes, at most 1000 are decoded");
    }

    @Test
    void aSchemaThatOursCannotReadIsUndecodableAndFetchedOnce() {
        int[] fetched = {0};
        SchemaRegistry counting = answering(() -> {
            fetched[0]++;
            return SchemaBuilder.builder().stringType();
        });
        AvroSerde<KeyValue> serde = new AvroSerde<>(counting, KeyValue.class);
        for (int i = 0; i < 3; i++) {
            assertRefused(serde, HexFormat.of().parseHex("00000000010261"), UndecodableException.UNDECODABLE);
        }
        assertThat(fetched[0]).isEqualTo(1);
    }

    static Stream<Schema> schemasThatCostMoreThanTheirBytes() {
        return Stream.of(
                recordWith("{\"type\":\"record\",\"name\":\"Chain\",\"fields\":"
                        + "[{\"name\":\"next\",\"type\":[\"null\",\"Chain\"]}]}"),
                recordWith("{\"type\":\"array\",\"items\":\"null\"}"),
                recordWith("{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Empty\",\"fields\":[]}}"),
                recordWith("{\"type\":\"fixed\",\"name\":\"Nothing\",\"size\":0}"),
                recordWith("{\"type\":\"array\",\"items\":".repeat(80) + "\"int\"" + "}".repeat(80)));
    }

    @ParameterizedTest
    @MethodSource("schemasThatCostMoreThanTheirBytes")
    void aSchemaThatCostsMoreThanItsBytesIsNotUsed(Schema schema) {
        assertThat(assertRefused(
                        new AvroSerde<>(answering(() -> schema), KeyValue.class),
                        new byte[100],
                        UndecodableException.UNDECODABLE))
                .hasMessageStartingWith("schema 0 is not decoded: ");
    }

    static Stream<Throwable> errorsWhileDecoding() {
        return Stream.of(
                new StackOverflowError(),
                new NoClassDefFoundError("x/Y"),
                new ExceptionInInitializerError("x"),
                new IllegalStateException("x"));
    }

    @ParameterizedTest
    @MethodSource("errorsWhileDecoding")
    void errorsOfTheJvmBecomeRefusals(Throwable error) {
        SchemaRegistry failing = answering(() -> {
            throw AvroSerdeGarbageTest.<RuntimeException>sneaky(error);
        });
        assertRefused(new AvroSerde<>(failing, KeyValue.class), new byte[10], UndecodableException.UNDECODABLE);
    }

    @Test
    void aRegistryThatCannotBeAskedIsNotTheRecordsFault() {
        SchemaRegistry down = answering(() -> {
            throw new RegistryUnavailableException("down", null);
        });
        assertThatThrownBy(() ->
                        new AvroSerde<>(down, KeyValue.class).deserializer().deserialize("t", new byte[10]))
                .isInstanceOf(RegistryUnavailableException.class);
    }

    /** Every topic's values. */
    static Stream<Class<? extends SpecificRecord>> fuzzed() {
        return Topics.DEFAULT.valueTypes(List.of("a")).values().stream();
    }

    @ParameterizedTest
    @MethodSource("fuzzed")
    <T extends SpecificRecord> void mutationsGiveARecordOrARefusal(Class<T> type) {
        long seed = Long.getLong("muster.fuzz.seed", 20_261_129L);
        Random random = new Random(seed);
        AvroSerde<T> serde = new AvroSerde<>(registry, type);
        int variants = Samples.of(AvroSerde.schemaOf(type)).size();
        List<byte[]> samples = Stream.iterate(0, i -> i + 1)
                .limit(variants)
                .map(i -> sample(type, i))
                .toList();
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] mutated = mutate(random, samples);
            Throwable thrown = catchThrowable(() -> serde.deserializer().deserialize("t", mutated));
            if (thrown != null) {
                refused++;
                assertThat(thrown)
                        .as("seed %d, mutation %d: %s", seed, i, HexFormat.of().formatHex(mutated))
                        .isInstanceOf(UndecodableException.class);
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 20, MUTATIONS);
    }

    private static byte[] mutate(Random random, List<byte[]> samples) {
        byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
        for (int n = random.nextInt(4); n >= 0; n--) {
            int at = 5 + random.nextInt(bytes.length - 5);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes[at] = (byte) 0xFF;
                case 3 -> bytes = Arrays.copyOf(bytes, Math.max(6, at));
                default -> {
                    byte[] other = samples.get(random.nextInt(samples.size()));
                    int length = Math.min(other.length, bytes.length) - 5;
                    System.arraycopy(other, 5, bytes, 5, random.nextInt(length));
                }
            }
        }
        return bytes;
    }

    private <T extends SpecificRecord> byte[] sample(Class<T> type, int variant) {
        Schema schema = AvroSerde.schemaOf(type);
        return Samples.onTheWire(
                registry.register("s", schema),
                Samples.encode(Samples.of(schema).get(variant)));
    }

    private static UndecodableException assertRefused(AvroSerde<?> serde, byte[] value, String reason) {
        Throwable thrown = catchThrowable(() -> serde.deserializer().deserialize("t", value));
        assertThat(thrown).isInstanceOf(UndecodableException.class);
        UndecodableException refusal = (UndecodableException) thrown;
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal.getMessage()).doesNotContain("\n");
        return refusal;
    }

    private static SchemaRegistry answering(Supplier<Schema> answer) {
        return new SchemaRegistry() {
            @Override
            public int register(String subject, Schema schema) {
                return 1;
            }

            @Override
            public Schema byId(int id) {
                return answer.get();
            }
        };
    }

    // A KeyValue with one more field, so that the field has to be skipped.
    private static Schema recordWith(String type) {
        return new Schema.Parser()
                .parse(
                        "{\"type\":\"record\",\"name\":\"KeyValue\",\"namespace\":\"dev.muster.schemas.common\",\"fields\":["
                                + "{\"name\":\"key\",\"type\":\"string\"},{\"name\":\"more\",\"type\":" + type + "}]}");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E sneaky(Throwable error) throws E {
        throw (E) error;
    }
}
