package dev.muster.standalone.demo;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what is committed on the trusted topics, as anybody may, and keeps the {@link Scoreboard}. */
final class TopicWatch implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<String, byte[]> consumer;
    private final Scoreboard scoreboard;
    private final Map<String, Reader> readers = new TreeMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile RuntimeException failure;

    private interface Reader {
        void read(ConsumerRecord<String, byte[]> record, long readMillis);
    }

    private TopicWatch(String bootstrapServers, SchemaRegistry registry, Topics topics, Scoreboard scoreboard) {
        this.scoreboard = scoreboard;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                        ConsumerConfig.CLIENT_ID_CONFIG, "demo-watch"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        on(topics.nodes(), registry, NodeEvent.class, (event, record, now) -> scoreboard.apply(event));
        on(
                topics.pods(),
                registry,
                PodEvent.class,
                (event, record, now) -> scoreboard.apply(event, record.timestamp()));
        on(topics.decisions(), registry, Decision.class, (event, record, now) -> scoreboard.apply(event, now));
        on(topics.outcomes(), registry, Outcome.class, (event, record, now) -> scoreboard.apply(event));
        AvroSerde<WorkloadStatus> statuses = new AvroSerde<>(registry, WorkloadStatus.class);
        readers.put(
                topics.workloadStatus(),
                (record, now) -> this.scoreboard.apply(
                        record.key(), statuses.deserializer().deserialize(record.topic(), record.value())));
        this.thread = new Thread(this::run, "demo-watch");
    }

    /** Starts reading from the beginning of every topic, in all partitions. */
    static TopicWatch start(String bootstrapServers, SchemaRegistry registry, Topics topics, Scoreboard scoreboard) {
        TopicWatch watch = new TopicWatch(bootstrapServers, registry, topics, scoreboard);
        List<TopicPartition> partitions = watch.readers.keySet().stream()
                .flatMap(topic -> watch.consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        watch.consumer.assign(partitions);
        watch.consumer.seekToBeginning(partitions);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Throws what ended the reading, if something did. */
    void check() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw new IllegalStateException("reading the topics failed", failed);
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Handler<T> {
        void handle(T event, ConsumerRecord<String, byte[]> record, long readMillis);
    }

    private <T extends SpecificRecord> void on(
            String topic, SchemaRegistry registry, Class<T> type, Handler<T> handler) {
        AvroSerde<T> serde = new AvroSerde<>(registry, type);
        readers.put(topic, (record, now) -> {
            T event = serde.deserializer().deserialize(record.topic(), record.value());
            if (event != null) {
                handler.handle(event, record, now);
            }
        });
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                var records = consumer.poll(POLL);
                long readMillis = System.currentTimeMillis();
                for (var record : records) {
                    readers.get(record.topic()).read(record, readMillis);
                }
            }
        } catch (WakeupException e) {
            // close() was called
        } catch (RuntimeException e) {
            failure = e;
        }
    }
}
