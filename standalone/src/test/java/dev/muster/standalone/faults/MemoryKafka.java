package dev.muster.standalone.faults;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Kafka as far as its promises matter: logs of one partition each that only grow, offsets of groups, and transactions that
 * are there whole or not at all, whose older producers are fenced. Single-threaded; every record that becomes visible goes
 * into a hash, so that two runs can be compared to the byte.
 */
final class MemoryKafka {
    /** A record as readers see it. */
    record Entry(String topic, long offset, String key, byte[] value, long timeMillis) {}

    /** A row of a state store; null for one that is gone. */
    record RowChange(String store, String key, byte[] row) {}

    /** What a transaction makes visible. */
    record Transaction(List<Entry> records, List<RowChange> rows, Map<String, Long> offsets) {}

    private static final class Log {
        private final List<Entry> entries = new ArrayList<>();
        private long end;
    }

    private final Map<String, Log> logs = new TreeMap<>();
    private final Map<String, Long> groups = new TreeMap<>();
    private final Map<String, Integer> epochs = new TreeMap<>();
    private final Map<String, TreeMap<String, byte[]>> stores = new TreeMap<>();
    private final List<Consumer<Entry>> readers = new ArrayList<>();
    private final LongSupplier clock;
    private final MessageDigest digest;
    private long records;

    MemoryKafka(LongSupplier clock) {
        this.clock = clock;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Is told of every record as it becomes visible; must only take note. */
    void subscribe(Consumer<Entry> reader) {
        readers.add(reader);
    }

    /** Appends what no transaction holds together. */
    long append(String topic, String key, byte[] value) {
        return visible(new Entry(topic, log(topic).end, key, value, clock.getAsLong()));
    }

    private long visible(Entry entry) {
        Log log = log(entry.topic());
        log.entries.add(entry);
        log.end = entry.offset() + 1;
        records++;
        digest.update(
                (entry.topic() + "@" + entry.offset() + " " + entry.key() + " ").getBytes(StandardCharsets.UTF_8));
        digest.update(entry.value() == null ? new byte[] {0} : entry.value());
        readers.forEach(reader -> reader.accept(entry));
        return entry.offset();
    }

    /** Records of a topic from an offset on, at most so many. */
    List<Entry> read(String topic, long from, int most) {
        List<Entry> entries = log(topic).entries;
        int low = firstAt(entries, from);
        return entries.subList(low, Math.min(entries.size(), low + most));
    }

    private static int firstAt(List<Entry> entries, long offset) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    boolean hasAfter(String topic, long from) {
        List<Entry> entries = log(topic).entries;
        return !entries.isEmpty() && entries.getLast().offset() >= from;
    }

    long end(String topic) {
        return log(topic).end;
    }

    /** Committed offset of a group; -1 where it never committed. */
    long committed(String group, String topic) {
        return groups.getOrDefault(group + " " + topic, -1L);
    }

    void commitOffset(String group, String topic, long offset) {
        groups.put(group + " " + topic, offset);
    }

    /** A producer announces itself: all before it under this id are fenced, what they had open is gone. */
    int initTransactions(String id) {
        return epochs.merge(id, 1, Integer::sum);
    }

    /** Makes all of a transaction visible at once. */
    void commit(String id, int epoch, String group, Transaction transaction) {
        if (epochs.getOrDefault(id, 0) != epoch) {
            throw new ProducerFencedException(id + " epoch " + epoch + " is fenced by " + epochs.get(id));
        }
        transaction.offsets().forEach((topic, offset) -> commitOffset(group, topic, offset));
        for (RowChange change : transaction.rows()) {
            TreeMap<String, byte[]> store = stores.computeIfAbsent(change.store(), none -> new TreeMap<>());
            if (change.row() == null) {
                store.remove(change.key());
            } else {
                store.put(change.key(), change.row());
            }
        }
        List<String> touched = new ArrayList<>();
        for (Entry record : transaction.records()) {
            visible(new Entry(
                    record.topic(), log(record.topic()).end, record.key(), record.value(), clock.getAsLong()));
            if (!touched.contains(record.topic())) {
                touched.add(record.topic());
            }
        }
        // The control record that ends a transaction takes an offset of its own.
        touched.forEach(topic -> log(topic).end++);
    }

    /** What the changelogs hold: by store, by key. Not to be changed. */
    Map<String, TreeMap<String, byte[]>> stores() {
        return stores;
    }

    long records() {
        return records;
    }

    /** Hash over every record that became visible, in order. */
    String hash() {
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 can be cloned", e);
        }
    }

    private Log log(String topic) {
        return logs.computeIfAbsent(topic, none -> new Log());
    }
}
