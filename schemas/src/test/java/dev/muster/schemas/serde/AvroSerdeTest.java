package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.NodeTerm;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AvroSerdeTest {
    private final LocalRegistry registry = new LocalRegistry();

    static Stream<Class<? extends SpecificRecord>> types() {
        return Topics.DEFAULT.valueTypes(List.of("default")).values().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    <T extends SpecificRecord> void everyTopicsRecordsComeBackAsTheyWere(Class<T> type) {
        AvroSerde<T> serde = new AvroSerde<>(registry, type);
        int id = registry.register("any", AvroSerde.schemaOf(type));
        for (GenericData.Record sample : Samples.of(AvroSerde.schemaOf(type))) {
            byte[] wire = Samples.onTheWire(id, Samples.encode(sample));
            T record = serde.deserializer().deserialize("topic", wire);
            assertThat(record).isExactlyInstanceOf(type);
            assertThat(serde.serializer().serialize("topic", record)).isEqualTo(wire);
            assertThat(serde.deserializer().deserialize("topic", wire)).isEqualTo(record);
        }
    }

    @Test
    void aValueIsAZeroByteTheIdBigEndianAndTheAvroEncoding() {
        registry.register("other", SchemaBuilder.builder().stringType());
        AvroSerde<Quantity> serde = new AvroSerde<>(registry, Quantity.class);

        byte[] value = serde.serializer().serialize("t", new Quantity("cpu", 1_500L));

        // string "cpu": length 3 as zigzag 06; long 1500 as zigzag 3000 = B8 17
        assertThat(HexFormat.of().withUpperCase().formatHex(value)).isEqualTo("00" + "00000002" + "06637075" + "B817");
        assertThat(AvroSerde.bodyOf(value)).isEqualTo(HexFormat.of().parseHex("06637075b817"));
    }

    @Test
    void theSubjectIsTheTopicAndValue() {
        List<String> subjects = new ArrayList<>();
        SchemaRegistry recording = new SchemaRegistry() {
            @Override
            public int register(String subject, Schema schema) {
                subjects.add(subject + " " + schema);
                return 7;
            }

            @Override
            public Schema byId(int id) {
                return AvroSerde.schemaOf(KeyValue.class);
            }
        };
        AvroSerde<KeyValue> serde = new AvroSerde<>(recording, KeyValue.class);
        serde.serializer().serialize("muster.things", new KeyValue("a", "b"));
        serde.serializer().serialize("muster.things", new KeyValue("c", "d"));
        assertThat(subjects).hasSize(1);
        assertThat(subjects.getFirst())
                .startsWith("muster.things-value {\"type\":\"record\",\"name\":\"KeyValue\"")
                .doesNotContain("avro.java.string");
    }

    @Test
    void nullIsNull() {
        AvroSerde<KeyValue> serde = new AvroSerde<>(registry, KeyValue.class);
        assertThat(serde.serializer().serialize("t", null)).isNull();
        assertThat(serde.deserializer().deserialize("t", null)).isNull();
    }

    @Test
    void aFieldThatTheWriterDidNotKnowGetsItsDefaultAndOneThatWeDoNotKnowIsSkipped() {
        Schema older = SchemaBuilder.record("KeyValue")
                .namespace("dev.muster.schemas.common")
                .fields()
                .name("forgotten")
                .type()
                .array()
                .items()
                .stringType()
                .noDefault()
                .requiredString("key")
                .name("alsoForgotten")
                .type()
                .map()
                .values()
                .longType()
                .noDefault()
                .endRecord();
        GenericData.Record record = new GenericData.Record(older);
        record.put("forgotten", List.of("x", "y"));
        record.put("key", "zone");
        record.put("alsoForgotten", Map.of("z", 3L));
        byte[] value = Samples.onTheWire(registry.register("s", older), Samples.encode(record));

        KeyValue read = new AvroSerde<>(registry, KeyValue.class).deserializer().deserialize("t", value);

        assertThat(read).isEqualTo(new KeyValue("zone", ""));
    }

    @Test
    void arraysWrittenInBlocksWithSizesAreRead() {
        // NodeTerm: one array of MatchExpression; block of -1 items, its size, the item, end of the array.
        byte[] value = HexFormat.of().parseHex("00" + "00000001" + "01" + "08" + "0261" + "0262" + "00" + "00" + "00");
        registry.register("s", AvroSerde.schemaOf(NodeTerm.class));
        var term = new AvroSerde<>(registry, NodeTerm.class).deserializer().deserialize("t", value);
        assertThat(term.getExpressions()).singleElement().satisfies(e -> {
            assertThat(e.getKey()).isEqualTo("a");
            assertThat(e.getOperator()).isEqualTo("b");
            assertThat(e.getValues()).isEmpty();
        });
    }

    @Test
    void aRecordThatCannotBeEncodedIsRefusedAndTheNextOneIsWhole() {
        AvroSerde<KeyValue> serde = new AvroSerde<>(registry, KeyValue.class);
        byte[] before = serde.serializer().serialize("t", new KeyValue("key", "value"));

        assertThatThrownBy(() -> serde.serializer().serialize("t", new KeyValue("key", null)))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("topic t: cannot encode a KeyValue: ");

        assertThat(serde.serializer().serialize("t", new KeyValue("key", "value")))
                .isEqualTo(before);
    }

    @Test
    void aValueThatNobodyWouldReadIsNotWritten() {
        AvroSerde<PodTemplate> serde = new AvroSerde<>(registry, PodTemplate.class, 1_000);
        assertThatThrownBy(() -> serde.serializer().serialize("t", new PodTemplate("d", "h", "x".repeat(1_000))))
                .isInstanceOf(SerializationException.class)
                .hasMessage("topic t: a PodTemplate of 1011 bytes, at most 1000 can be read");
        assertThat(serde.serializer().serialize("t", new PodTemplate("d", "h", "x".repeat(900))))
                .hasSize(911);
    }

    @Test
    void manyThreadsMayUseOneSerde() throws Exception {
        AvroSerde<PodTemplate> serde = new AvroSerde<>(registry, PodTemplate.class);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String domain = "domain-" + t;
                running.add(threads.submit(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        PodTemplate written = new PodTemplate(domain, "hash-" + i, "x".repeat(i % 100));
                        byte[] value = serde.serializer().serialize("t", written);
                        assertThat(serde.deserializer().deserialize("t", value)).isEqualTo(written);
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
    }
}
