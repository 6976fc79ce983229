package dev.muster.standalone.virtual;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.streams.DecisionCodec;
import dev.muster.scheduler.streams.Decoded;
import dev.muster.scheduler.streams.Inputs;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.scheduler.streams.Refusal;
import dev.muster.scheduler.streams.StatusCodec;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Keys;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serializer;

/**
 * The core with its codecs and nothing else around it. Each event is committed with the entry it became: a restart finds
 * the state as of the last entry.
 */
public final class CoreHost implements SchedulerHost {

    private final Setup setup;
    private final Inputs inputs;
    private final JournalCodec journalCodec;
    private final DecisionCodec decisionCodec;
    private final StatusCodec statusCodec;
    private final Serializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Serializer<dev.muster.schemas.decision.Decision> decisions;
    private final Serializer<dev.muster.schemas.decision.WorkloadStatus> statuses;
    private final Serializer<DeadLetter> deadLetters;
    private final Map<String, Long> offsets = new TreeMap<>();
    private final Map<Row.Table, TreeMap<String, Row>> tables = new EnumMap<>(Row.Table.class);
    private Engine engine = Engine.empty();

    /** A scheduler that has seen nothing. */
    public CoreHost(Setup setup) {
        this.setup = setup;
        this.inputs = new Inputs(setup.registry(), setup.topics(), setup.domain());
        this.journalCodec = new JournalCodec(setup.domain());
        this.decisionCodec = new DecisionCodec(setup.domain());
        this.statusCodec = new StatusCodec(setup.domain());
        this.entries = serializer(dev.muster.schemas.journal.JournalEntry.class);
        this.decisions = serializer(dev.muster.schemas.decision.Decision.class);
        this.statuses = serializer(dev.muster.schemas.decision.WorkloadStatus.class);
        this.deadLetters = serializer(DeadLetter.class);
        for (Row.Table table : Row.Table.values()) {
            tables.put(table, new TreeMap<>());
        }
    }

    private <T extends SpecificRecord> Serializer<T> serializer(Class<T> type) {
        return new AvroSerde<>(setup.registry(), type).serializer();
    }

    @Override
    public void event(String topic, String key, byte[] value) {
        long offset = offsets.merge(topic, 1L, Long::sum) - 1;
        if (value == null) {
            return;
        }
        switch (inputs.read(topic, value)) {
            case Decoded.Event(ClusterEvent event) -> enter(event, topic, offset);
            case Decoded.Refused(Refusal refusal) -> deadLetter(topic, offset, value, refusal);
        }
    }

    @Override
    public void settle() {
        for (String cause = engine.tickCause(now()); cause != null; cause = engine.tickCause(now())) {
            enter(new ClusterEvent.Tick(cause), "", -1);
        }
    }

    @Override
    public long nextDeadlineMillis() {
        return engine.nextDeadlineMillis();
    }

    @Override
    public void restart() {
        var rows = tables.values().stream()
                .flatMap(table -> table.values().stream())
                .toList();
        engine = rows.isEmpty() ? Engine.empty() : Engine.restore(rows);
    }

    /** Works its state out again from pods and holds, and throws at the first difference. */
    public void checkLaws() {
        engine.checkLaws();
    }

    private long now() {
        return Math.max(engine.timeMillis(), setup.clock().millis());
    }

    /** The first entry of a domain, or of a new engine, says which engine decides. */
    private void enter(ClusterEvent event, String topic, long offset) {
        if (!engine.engineVersion().equals(Engine.VERSION)) {
            step(new ClusterEvent.EngineStarted(Engine.VERSION), "", -1);
        }
        step(event, topic, offset);
    }

    private void step(ClusterEvent event, String topic, long offset) {
        JournalEntry entry = new JournalEntry(engine.nextSequence(), now(), event);
        Effects effects = engine.apply(entry);
        if (effects.applied()) {
            keep(effects);
            publish(entry, topic, offset, effects);
        }
    }

    private void keep(Effects effects) {
        for (Row.Change change : effects.rows()) {
            if (change.row() == null) {
                tables.get(change.table()).remove(change.key());
            } else {
                tables.get(change.table()).put(change.key(), change.row());
            }
        }
    }

    private void publish(JournalEntry entry, String topic, long offset, Effects effects) {
        String domain = setup.domain();
        out(setup.topics().journal(), domain, entries, journalCodec.write(entry, topic, offset));
        for (Decision decision : effects.decisions()) {
            out(setup.topics().decisions(), domain, decisions, decisionCodec.write(decision));
        }
        for (WorkloadStatus status : effects.statuses()) {
            String key = Keys.workload(domain, status.id().value());
            out(setup.topics().workloadStatus(), key, statuses, statusCodec.write(status));
        }
        for (WorkloadId id : effects.forgotten()) {
            setup.output().published(setup.topics().workloadStatus(), Keys.workload(domain, id.value()), null);
        }
    }

    private <T> void out(String topic, String key, Serializer<T> serializer, T record) {
        setup.output().published(topic, key, serializer.serialize(topic, record));
    }

    private void deadLetter(String topic, long offset, byte[] value, Refusal refusal) {
        DeadLetter letter = new DeadLetter(
                "scheduler", topic, 0, offset, refusal.reason(), refusal.line(), value.length, sha256(value), now());
        out(setup.topics().deadLetters(), topic, deadLetters, letter);
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        // Holds nothing that needs closing.
    }
}
