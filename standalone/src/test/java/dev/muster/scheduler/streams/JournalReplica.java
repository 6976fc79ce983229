package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * An engine that was never stopped, fed with nothing but the journal as it was committed. What it decides has to be what
 * was published, byte for byte; its rows have to be what the stores hold; its laws are checked after every transaction.
 */
public final class JournalReplica {
    private final Topics topics;
    private final String domain;
    private final JournalCodec journal;
    private final DecisionCodec decisions;
    private final StatusCodec statuses;
    private final Deserializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Serializer<dev.muster.schemas.decision.Decision> decisionBytes;
    private final Serializer<dev.muster.schemas.decision.WorkloadStatus> statusBytes;
    private final Deserializer<dev.muster.schemas.decision.Decision> decisionValues;
    private final Deserializer<dev.muster.schemas.decision.WorkloadStatus> statusValues;
    private final Map<Row.Table, Serializer<SpecificRecord>> rowBytes = new EnumMap<>(Row.Table.class);
    private final Map<String, TreeMap<String, Row>> rows = new TreeMap<>();
    private final Deque<Expected> expected = new ArrayDeque<>();
    private final Engine engine = Engine.empty();
    private final boolean nodesMayShrink;
    /** Made of the rows as they were at some entry; follows from then on. Null before the first. */
    private Engine restored;

    private record Expected(String topic, String key, byte[] value) {}

    /** What the published transaction is not. */
    public static final class DifferentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DifferentException(String message) {
            super(message);
        }
    }

    /**
     * A replica that has seen nothing.
     *
     * @param nodesMayShrink a node may be replaced by a smaller one, which then holds more than it has for a while
     */
    public JournalReplica(SchemaRegistry registry, Topics topics, String domain, boolean nodesMayShrink) {
        this.nodesMayShrink = nodesMayShrink;
        this.topics = topics;
        this.domain = domain;
        this.journal = new JournalCodec(domain);
        this.decisions = new DecisionCodec(domain);
        this.statuses = new StatusCodec(domain);
        this.entries = new AvroSerde<>(registry, dev.muster.schemas.journal.JournalEntry.class).deserializer();
        this.decisionBytes = new AvroSerde<>(registry, dev.muster.schemas.decision.Decision.class).serializer();
        this.statusBytes = new AvroSerde<>(registry, dev.muster.schemas.decision.WorkloadStatus.class).serializer();
        this.decisionValues = new AvroSerde<>(registry, dev.muster.schemas.decision.Decision.class).deserializer();
        this.statusValues = new AvroSerde<>(registry, dev.muster.schemas.decision.WorkloadStatus.class).deserializer();
        for (Row.Table table : Row.Table.values()) {
            rowBytes.put(table, serializerOf(registry, RowCodec.typeOf(table)));
        }
    }

    private static <T extends SpecificRecord> Serializer<SpecificRecord> serializerOf(
            SchemaRegistry registry, Class<T> type) {
        Serializer<T> typed = new AvroSerde<>(registry, type).serializer();
        return (topic, row) -> typed.serialize(topic, type.cast(row));
    }

    /** Takes one committed record of the scheduler in, in the order of its transaction. */
    public void take(String topic, String key, byte[] value) {
        if (topic.equals(topics.journal())) {
            if (!expected.isEmpty()) {
                throw new DifferentException("not published: " + expected.peek());
            }
            JournalEntry entry = journal.read(entries.deserialize(topic, value));
            apply(entry);
        } else if (topic.equals(topics.decisions()) || topic.equals(topics.workloadStatus())) {
            Expected next = expected.poll();
            boolean same = next != null
                    && next.topic.equals(topic)
                    && next.key.equals(key)
                    && Arrays.equals(next.value, value);
            if (!same) {
                throw new DifferentException("published on " + topic + " under " + key + " at entry "
                        + (engine.nextSequence() - 1) + " is not what the journal gives.\n  published: "
                        + readable(topic, value) + "\n  journal:   "
                        + (next == null ? "nothing" : next.key + " " + readable(next.topic, next.value)));
            }
        }
    }

    /** A published record as a person reads it; its offset in bytes would say little. */
    private String readable(String topic, byte[] value) {
        return String.valueOf(
                topic.equals(topics.decisions())
                        ? decisionValues.deserialize(topic, value)
                        : statusValues.deserialize(topic, value));
    }

    private void apply(JournalEntry entry) {
        Effects effects = engine.apply(entry);
        if (restored != null) {
            compareNext(entry, effects, restored.apply(entry));
        }
        if (!effects.applied()) {
            throw new DifferentException("entry " + entry.sequence() + " changes nothing: " + entry.event());
        }
        for (Row.Change change : effects.rows()) {
            TreeMap<String, Row> table = rows.computeIfAbsent(Store.nameOf(change.table()), none -> new TreeMap<>());
            if (change.row() == null) {
                table.remove(change.key());
            } else {
                table.put(change.key(), change.row());
            }
        }
        for (Decision decision : effects.decisions()) {
            expected.add(new Expected(
                    topics.decisions(),
                    domain,
                    decisionBytes.serialize(topics.decisions(), decisions.write(decision))));
        }
        for (WorkloadStatus status : effects.statuses()) {
            expected.add(new Expected(
                    topics.workloadStatus(),
                    Keys.workload(domain, status.id().value()),
                    statusBytes.serialize(topics.workloadStatus(), statuses.write(status))));
        }
        for (WorkloadId forgotten : effects.forgotten()) {
            expected.add(new Expected(topics.workloadStatus(), Keys.workload(domain, forgotten.value()), null));
        }
    }

    private static void compareNext(JournalEntry entry, Effects running, Effects restored) {
        boolean same = running.decisions().equals(restored.decisions())
                && running.statuses().equals(restored.statuses())
                && running.forgotten().equals(restored.forgotten());
        if (!same) {
            throw new DifferentException("an engine restored before entry " + entry.sequence() + " (" + entry.event()
                    + ") gives\n  " + restored.decisions() + " " + restored.statuses() + "\n  not\n  "
                    + running.decisions() + " " + running.statuses());
        }
    }

    private void checkLaws(Engine of) {
        if (nodesMayShrink) {
            of.checkAccounts();
        } else {
            of.checkLaws();
        }
    }

    /** To be called when a transaction ended: everything the journal gives was published, and the laws hold. */
    public void transactionEnded() {
        checkLaws(engine);
        if (!expected.isEmpty()) {
            throw new DifferentException("not published: " + expected.peek());
        }
    }

    /** Compares with what the changelogs hold, by store and key. */
    public void compareRows(Map<String, TreeMap<String, byte[]>> stores) {
        for (Row.Table table : Row.Table.values()) {
            String name = Store.nameOf(table);
            TreeMap<String, Row> mine = rows.getOrDefault(name, new TreeMap<>());
            TreeMap<String, byte[]> theirs = stores.getOrDefault(name, new TreeMap<>());
            if (!mine.keySet().equals(theirs.keySet())) {
                throw new DifferentException(
                        "store " + name + " has " + theirs.keySet() + ", the journal gives " + mine.keySet());
            }
            mine.forEach((key, row) -> {
                byte[] bytes = rowBytes.get(table)
                        .serialize(Store.changelogOf(SimulatedTask.APPLICATION, table), RowCodec.write(row));
                if (!Arrays.equals(bytes, theirs.get(key))) {
                    throw new DifferentException("row " + key + " of store " + name + " is "
                            + decoded(theirs.get(key), RowCodec.write(row).getSchema()) + ", not "
                            + RowCodec.write(row));
                }
            });
        }
    }

    /** What a store holds, without the frame of five bytes that names its schema. */
    private static Object decoded(byte[] framed, Schema schema) {
        try {
            return new SpecificDatumReader<>(schema)
                    .read(null, DecoderFactory.get().binaryDecoder(framed, 5, framed.length - 5, null));
        } catch (IOException e) {
            return e;
        }
    }

    /** Restores an engine from the rows: it has to satisfy the laws, want what this one wants, and decide the same from then on. */
    public void compareRestored(long nowMillis) {
        List<Row> all = new ArrayList<>();
        rows.values().forEach(table -> all.addAll(table.values()));
        if (all.isEmpty()) {
            return;
        }
        restored = Engine.restore(all);
        checkLaws(restored);
        boolean same = restored.nextSequence() == engine.nextSequence()
                && restored.timeMillis() == engine.timeMillis()
                && restored.engineVersion().equals(engine.engineVersion())
                && restored.nextDeadlineMillis() == engine.nextDeadlineMillis()
                && String.valueOf(restored.tickCause(nowMillis)).equals(String.valueOf(engine.tickCause(nowMillis)));
        if (!same) {
            throw new DifferentException("an engine restored at " + engine.nextSequence() + " wants "
                    + restored.tickCause(nowMillis) + " by " + restored.nextDeadlineMillis() + ", the running one "
                    + engine.tickCause(nowMillis) + " by " + engine.nextDeadlineMillis());
        }
    }

    /** Whether the scheduler wants a tick now. */
    public boolean wantsTick(long nowMillis) {
        return engine.tickCause(nowMillis) != null;
    }

    /** When it wants one for a deadline. */
    public long nextDeadlineMillis() {
        return engine.nextDeadlineMillis();
    }

    /** Domain time. */
    public long timeMillis() {
        return engine.timeMillis();
    }

    /** Rows of a store, by key. */
    public Map<String, Row> rows(Row.Table table) {
        return rows.getOrDefault(Store.nameOf(table), new TreeMap<>());
    }
}
