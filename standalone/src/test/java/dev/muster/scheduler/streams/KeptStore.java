package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** A store in memory that has rows already when its processor begins, as after a restore from the changelog. */
final class KeptStore implements KeyValueStore<Bytes, byte[]> {

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<String, byte[]> rows;

    private KeptStore(KeyValueStore<Bytes, byte[]> store, Map<String, byte[]> rows) {
        this.store = store;
        this.rows = rows;
    }

    static StoreBuilder<?> builder(Row.Table table, Map<String, byte[]> rows) {
        KeyValueBytesStoreSupplier plain = Stores.inMemoryKeyValueStore(Store.nameOf(table));
        KeyValueBytesStoreSupplier kept = new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return plain.name();
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new KeptStore(plain.get(), rows);
            }

            @Override
            public String metricsScope() {
                return plain.metricsScope();
            }
        };
        return Store.builderOf(kept);
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        store.init(context, root);
        rows.forEach((key, value) ->
                store.put(Bytes.wrap(Serdes.String().serializer().serialize("", key)), value));
    }

    @Override
    public Position getPosition() {
        return store.getPosition();
    }

    @Override
    public void put(Bytes key, byte[] value) {
        store.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return store.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        store.putAll(entries);
    }

    @Override
    public byte[] delete(Bytes key) {
        return store.delete(key);
    }

    @Override
    public byte[] get(Bytes key) {
        return store.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return store.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return store.all();
    }

    @Override
    public long approximateNumEntries() {
        return store.approximateNumEntries();
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public boolean persistent() {
        return store.persistent();
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public void close() {
        store.close();
    }
}
