package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** The state stores as rows: what the engine changed goes in, in the transaction of the entry that changed it; all of it comes out when a task starts. */
final class StateMirror {
    private final Map<Row.Table, Mirror> mirrors = new EnumMap<>(Row.Table.class);

    StateMirror(SchemaRegistry registry, String applicationId, Function<String, KeyValueStore<String, byte[]>> stores) {
        for (Row.Table table : Row.Table.values()) {
            mirrors.put(
                    table,
                    Mirror.of(
                            registry,
                            RowCodec.typeOf(table),
                            Store.changelogOf(applicationId, table),
                            stores.apply(Store.nameOf(table))));
        }
    }

    void apply(List<Row.Change> changes) {
        for (Row.Change change : changes) {
            Mirror mirror = mirrors.get(change.table());
            if (change.row() == null) {
                mirror.store.delete(change.key());
            } else {
                mirror.store.put(change.key(), mirror.encode(RowCodec.write(change.row())));
            }
        }
    }

    /** All rows, by table and key. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Mirror mirror : mirrors.values()) {
            try (KeyValueIterator<String, byte[]> all = mirror.store.all()) {
                while (all.hasNext()) {
                    KeyValue<String, byte[]> entry = all.next();
                    rows.add(RowCodec.read(mirror.decode(entry.value)));
                }
            }
        }
        return rows;
    }

    private record Mirror(
            KeyValueStore<String, byte[]> store,
            String changelog,
            Serializer<SpecificRecord> serializer,
            Deserializer<? extends SpecificRecord> deserializer) {
        static <T extends SpecificRecord> Mirror of(
                SchemaRegistry registry, Class<T> type, String changelog, KeyValueStore<String, byte[]> store) {
            AvroSerde<T> serde = new AvroSerde<>(registry, type);
            Serializer<T> typed = serde.serializer();
            return new Mirror(
                    store, changelog, (topic, row) -> typed.serialize(topic, type.cast(row)), serde.deserializer());
        }

        byte[] encode(SpecificRecord row) {
            return serializer.serialize(changelog, row);
        }

        SpecificRecord decode(byte[] value) {
            return deserializer.deserialize(changelog, value);
        }
    }
}
