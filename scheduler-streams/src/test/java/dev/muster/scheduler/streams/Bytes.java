package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import org.apache.avro.specific.SpecificRecord;

/** Records as bytes and back, through the serde that runs in production. */
final class Bytes {
    private Bytes() {}

    static byte[] of(SchemaRegistry registry, String topic, SpecificRecord record) {
        return encode(registry, topic, record.getClass(), record);
    }

    static <T extends SpecificRecord> T read(SchemaRegistry registry, String topic, Class<T> type, byte[] value) {
        try (AvroSerde<T> serde = new AvroSerde<>(registry, type)) {
            return serde.deserializer().deserialize(topic, value);
        }
    }

    static SpecificRecord thereAndBack(SchemaRegistry registry, SpecificRecord record) {
        return read(
                registry,
                "t-" + record.getClass().getName(),
                record.getClass(),
                of(registry, "t-" + record.getClass().getName(), record));
    }

    private static <T extends SpecificRecord> byte[] encode(
            SchemaRegistry registry, String topic, Class<T> type, SpecificRecord record) {
        try (AvroSerde<T> serde = new AvroSerde<>(registry, type)) {
            return serde.serializer().serialize(topic, type.cast(record));
        }
    }
}
