package dev.muster.scheduler.streams;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A state store in memory that tells of each change, as its changelog would. */
final class MemoryStore implements KeyValueStore<String, byte[]> {
    private final String name;
    private final TreeMap<String, byte[]> rows;
    private final BiConsumer<String, byte[]> changelog;

    MemoryStore(String name, Map<String, byte[]> rows, BiConsumer<String, byte[]> changelog) {
        this.name = name;
        this.rows = new TreeMap<>(rows);
        this.changelog = changelog;
    }

    @Override
    public void put(String key, byte[] value) {
        if (value == null) {
            rows.remove(key);
        } else {
            rows.put(key, value);
        }
        changelog.accept(key, value);
    }

    @Override
    public byte[] putIfAbsent(String key, byte[] value) {
        byte[] known = rows.get(key);
        if (known == null) {
            put(key, value);
        }
        return known;
    }

    @Override
    public void putAll(List<KeyValue<String, byte[]>> entries) {
        entries.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(String key) {
        byte[] known = rows.get(key);
        put(key, null);
        return known;
    }

    @Override
    public byte[] get(String key) {
        return rows.get(key);
    }

    @Override
    public KeyValueIterator<String, byte[]> range(String from, String to) {
        return over(rows.subMap(from, true, to, true));
    }

    @Override
    public KeyValueIterator<String, byte[]> all() {
        return over(rows);
    }

    private static KeyValueIterator<String, byte[]> over(Map<String, byte[]> rows) {
        Iterator<Map.Entry<String, byte[]>> entries = rows.entrySet().iterator();
        return new KeyValueIterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public KeyValue<String, byte[]> next() {
                Map.Entry<String, byte[]> entry = entries.next();
                return KeyValue.pair(entry.getKey(), entry.getValue());
            }

            @Override
            public String peekNextKey() {
                throw new NoSuchElementException("not needed here");
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    @Override
    public long approximateNumEntries() {
        return rows.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        // Filled already.
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
