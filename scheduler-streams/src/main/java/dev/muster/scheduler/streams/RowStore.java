package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * One table of the state. Rows that change stay as the core made them until the transaction ends; then each is encoded
 * once, however many entries changed it, and goes to the store below, whose changelog it is restored from.
 *
 * <p>What Kafka Streams offers for this, a store with a cache, wants bytes at every change, and keeps them long after
 * they were written. That a transaction is about to end is told to no public type: {@link CachedStateStore} is the one
 * thing of the inside of Kafka Streams that the scheduler uses.
 */
final class RowStore implements StateStore, CachedStateStore<String, byte[]> {
    private final KeyValueStore<String, byte[]> written;
    private final Map<String, Row> changed = new LinkedHashMap<>();
    private Function<Row, byte[]> encoder;

    RowStore(KeyValueStore<String, byte[]> written) {
        this.written = written;
    }

    /** From now on rows are encoded like this. */
    void encodeWith(Function<Row, byte[]> rowEncoder) {
        encoder = rowEncoder;
    }

    /** A row changed; null when it was removed. */
    void put(String key, Row row) {
        changed.put(key, row);
    }

    /** Hands out what is written, by key; changes of a transaction that has not ended are not. */
    void forEach(BiConsumer<String, byte[]> taker) {
        try (KeyValueIterator<String, byte[]> all = written.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> entry = all.next();
                taker.accept(entry.key, entry.value);
            }
        }
    }

    /** The transaction ends: all changes are written. */
    @Override
    public void flushCache() {
        changed.forEach((key, row) -> written.put(key, row == null ? null : encoder.apply(row)));
        changed.clear();
    }

    @Override
    public void clearCache() {
        changed.clear();
    }

    @Override
    public boolean setFlushListener(CacheFlushListener<String, byte[]> listener, boolean sendOldValues) {
        return false;
    }

    @Override
    public String name() {
        return written.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        changed.clear();
        written.init(context, root);
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        written.commit(changelogOffsets);
    }

    @Override
    public void close() {
        changed.clear();
        written.close();
    }

    @Override
    public boolean persistent() {
        return written.persistent();
    }

    @Override
    public boolean isOpen() {
        return written.isOpen();
    }

    @Override
    public Position getPosition() {
        return written.getPosition();
    }
}
