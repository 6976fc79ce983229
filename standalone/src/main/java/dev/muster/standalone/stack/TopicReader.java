package dev.muster.standalone.stack;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads topics from their beginning, committed records only, and can go on with what comes. Not thread-safe.
 */
public final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * Takes records of a topic.
     *
     * @param <T> type of the values
     */
    @FunctionalInterface
    public interface Handler<T> {
        /** A record; the value is null when the key was forgotten. */
        void take(String key, T value);
    }

    private final KafkaConsumer<String, byte[]> consumer;
    private final SchemaRegistry registry;
    private final Map<String, Consumer<ConsumerRecord<String, byte[]>>> handlers = new HashMap<>();
    private Map<TopicPartition, Long> ends;

    /** A reader that reads nothing yet. */
    public TopicReader(Connection connection) {
        this.registry = connection.registry();
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads a topic, with those of earlier calls. */
    public <T extends SpecificRecord> TopicReader topic(String topic, Class<T> type, Handler<? super T> handler) {
        Deserializer<T> values = new AvroSerde<>(registry, type).deserializer();
        handlers.put(
                topic,
                record -> handler.take(
                        record.key(),
                        record.value() == null ? null : values.deserialize(record.topic(), record.value())));
        return this;
    }

    /**
     * Reads everything that is committed now.
     *
     * @throws UnknownTopicOrPartitionException when a topic does not exist
     * @throws TimeoutException when Kafka does not answer
     */
    public void readToEnd() {
        if (ends == null) {
            List<TopicPartition> partitions = handlers.keySet().stream()
                    .flatMap(topic -> partitions(topic).stream())
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }
        ends = consumer.endOffsets(consumer.assignment());
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (poll() > 0) {
                deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            } else if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException(
                        "the topics could not be read to their end in " + PATIENCE.toSeconds() + " s");
            }
        }
    }

    /** Reads what comes next, waiting a moment for it; the number of records. */
    public int poll() {
        int count = 0;
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
            handlers.get(record.topic()).accept(record);
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        consumer.close();
    }

    private List<TopicPartition> partitions(String topic) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic);
        if (infos == null || infos.isEmpty()) {
            throw new UnknownTopicOrPartitionException("topic " + topic + " does not exist");
        }
        return infos.stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }
}
