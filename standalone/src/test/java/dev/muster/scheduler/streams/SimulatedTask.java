package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.streams.Outputs.Routed;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * One task of the scheduler without Kafka: the production processor, its codecs and pacers, over stores in memory. What it
 * wrote and what it changed is handed out by {@link #take}, for the caller to commit or to lose.
 */
public final class SimulatedTask implements AutoCloseable {
    public static final String APPLICATION = "muster-scheduler";

    /**
     * What tasks of one domain share, over restarts.
     *
     * @param clock of the machine that the task runs on
     * @param meters shared, since only their making costs something
     */
    public record Setting(
            Topics topics,
            String domain,
            SchemaRegistry registry,
            MeterRegistry meters,
            InstantSource clock,
            LongSupplier nanoTime) {}

    /** A record that the task wrote. */
    public record Written(String topic, String key, byte[] value, long timeMillis) {}

    /** A row that the task changed; null for one that is gone. */
    public record Changed(String store, String key, byte[] row) {}

    /** What a transaction holds. */
    public record Work(List<Written> written, List<Changed> changed) {}

    private final Setting setting;
    private final Vitals vitals;
    private final DomainProcessor processor;
    private final Map<String, RowStore> stores = new LinkedHashMap<>();
    private final Map<String, String> topicOfSink;
    private List<Written> written = new ArrayList<>();
    private List<Changed> changed = new ArrayList<>();
    private RecordMetadata metadata;
    private Punctuator punctuator;
    private boolean commitAsked;

    /** A task that starts on these rows: by store, by key. They are copied. */
    public SimulatedTask(Setting setting, Map<String, TreeMap<String, byte[]>> committed) {
        this.setting = setting;
        this.vitals = new Vitals(setting.nanoTime());
        Topics topics = setting.topics();
        this.topicOfSink = Map.of(
                "journal", topics.journal(),
                "decisions", topics.decisions(),
                "workload-status", topics.workloadStatus(),
                "dead-letters", topics.deadLetters());
        for (Row.Table table : Row.Table.values()) {
            String name = Store.nameOf(table);
            stores.put(
                    name,
                    new RowStore(new MemoryStore(
                            name,
                            committed.getOrDefault(name, new TreeMap<>()),
                            (key, row) -> changed.add(new Changed(name, key, row)))));
        }
        this.processor = new DomainProcessor(new DomainSetup(
                topics,
                Domains.of(setting.domain()),
                setting.registry(),
                setting.meters(),
                setting.clock(),
                setting.nanoTime(),
                vitals));
        processor.init(new Context<byte[]>());
    }

    /** Names of the topics it reads. */
    public static List<String> inputs(Topics topics) {
        return Inputs.namesOf(topics);
    }

    /** Hands it one record. */
    public void process(String topic, long offset, byte[] value, long timestampMillis) {
        metadata = new Metadata(topic, offset);
        processor.process(new Record<>(null, value, timestampMillis));
    }

    /** The wall clock punctuation, which Kafka Streams calls every few milliseconds. */
    public void punctuate() {
        if (punctuator != null) {
            punctuator.punctuate(setting.clock().millis());
        }
    }

    /** The domain's time by this task. */
    public long millis() {
        return processor.now();
    }

    /** Whether it asked for a commit since this was last asked. */
    public boolean wantsCommit() {
        boolean asked = commitAsked;
        commitAsked = false;
        return asked;
    }

    /** What it wrote and changed since this was last asked. */
    public Work take() {
        stores.values().forEach(RowStore::flushCache);
        Work work = new Work(written, changed);
        written = new ArrayList<>();
        changed = new ArrayList<>();
        return work;
    }

    /** Why the domain stopped; empty while it runs. */
    public Optional<String> halted() {
        return Optional.ofNullable(vitals.halted().get(0));
    }

    @Override
    public void close() {
        processor.close();
    }

    private record Metadata(String topic, long offset) implements RecordMetadata {
        @Override
        public int partition() {
            return 0;
        }
    }

    /** Generic only because Java knows no type variable that is bounded by an array. */
    private final class Context<B> implements ProcessorContext<Routed, B> {
        @Override
        public <K extends Routed, V extends B> void forward(Record<K, V> record) {
            throw new IllegalStateException("every record goes to one sink");
        }

        @Override
        public <K extends Routed, V extends B> void forward(Record<K, V> record, String sink) {
            String topic = topicOfSink.get(sink);
            written.add(new Written(topic, record.key().key(), (byte[]) (Object) record.value(), record.timestamp()));
        }

        @Override
        public String applicationId() {
            return APPLICATION;
        }

        @Override
        public TaskId taskId() {
            return new TaskId(0, 0);
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            return Optional.ofNullable(metadata);
        }

        @Override
        public Serde<?> keySerde() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Serde<?> valueSerde() {
            throw new UnsupportedOperationException();
        }

        @Override
        public File stateDir() {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamsMetrics metrics() {
            throw new UnsupportedOperationException();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <S extends StateStore> S getStateStore(String name) {
            return (S) stores.get(name);
        }

        @Override
        public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
            punctuator = callback;
            return () -> punctuator = null;
        }

        @Override
        public Cancellable schedule(Instant start, Duration interval, PunctuationType type, Punctuator callback) {
            return schedule(interval, type, callback);
        }

        @Override
        public void commit() {
            commitAsked = true;
        }

        @Override
        public Map<String, Object> appConfigs() {
            return Map.of();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            return Map.of();
        }

        @Override
        public long currentSystemTimeMs() {
            return setting.clock().millis();
        }

        @Override
        public long currentStreamTimeMs() {
            return setting.clock().millis();
        }
    }
}
