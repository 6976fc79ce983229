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

/** The state stores as rows: what the engine changed goes in, in the transaction of the entry that changed it; all of it comes out when a task starts. */
final class StateMirror {
    private final Map<Row.Table, Mirror> mirrors = new EnumMap<>(Row.Table.class);

    /** @param onFailure makes of what went wrong when a row was encoded what is thrown, to whoever ends the transaction */
    StateMirror(
            SchemaRegistry registry,
            String applicationId,
            Function<String, RowStore> stores,
            Function<Throwable, RuntimeException> onFailure) {
        for (Row.Table table : Row.Table.values()) {
            Mirror mirror = Mirror.of(
                    registry,
                    RowCodec.typeOf(table),
                    Store.changelogOf(applicationId, table),
                    stores.apply(Store.nameOf(table)));
            mirror.store.encodeWith(row -> {
                try {
                    return mirror.encode(row);
                } catch (RuntimeException | Error problem) {
                    throw onFailure.apply(problem);
                }
            });
            mirrors.put(table, mirror);
        }
    }

    void apply(List<Row.Change> changes) {
        for (Row.Change change : changes) {
            mirrors.get(change.table()).store.put(change.key(), change.row());
        }
    }

    /** All rows, by table and key. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Mirror mirror : mirrors.values()) {
            mirror.store.forEach((key, value) -> rows.add(mirror.decode(value)));
        }
        return rows;
    }

    private record Mirror(
            RowStore store,
            String changelog,
            Serializer<SpecificRecord> serializer,
            Deserializer<? extends SpecificRecord> deserializer) {
        static <T extends SpecificRecord> Mirror of(
                SchemaRegistry registry, Class<T> type, String changelog, RowStore store) {
            AvroSerde<T> serde = new AvroSerde<>(registry, type);
            Serializer<T> typed = serde.serializer();
            return new Mirror(
                    store, changelog, (topic, row) -> typed.serialize(topic, type.cast(row)), serde.deserializer());
        }

        byte[] encode(Row row) {
            return serializer.serialize(changelog, RowCodec.write(row));
        }

        Row decode(byte[] value) {
            return RowCodec.read(deserializer.deserialize(changelog, value));
        }
    }
}
