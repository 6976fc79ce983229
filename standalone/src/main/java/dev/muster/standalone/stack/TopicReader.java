package dev.muster.standalone.stack;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads topics from their beginning or from a moment on, committed records only, and can go on with what comes. Joins no
 * consumer group, commits nothing, creates no topic. A record that cannot be decoded is left out and counted. Not
 * thread-safe.
 */
public final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(8);
    private static final long FROM_THE_BEGINNING = -1;

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

    /**
     * Takes records of a topic whose keys mean something in their partition only.
     *
     * @param <T> type of the values
     */
    @FunctionalInterface
    public interface PartitionHandler<T> {
        /** A record; the value is null when the key was forgotten. */
        void take(int partition, String key, T value);
    }

    private interface Taker {
        void take(ConsumerRecord<String, byte[]> record);
    }

    private record Topic(long sinceMillis, Taker taker) {}

    private final KafkaConsumer<String, byte[]> consumer;
    private final String bootstrapServers;
    private final SchemaRegistry registry;
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private Map<TopicPartition, Long> ends;
    private long taken;
    private long undecodable;
    private String firstUndecodable = "";

    /** A reader that reads nothing yet. */
    public TopicReader(Connection connection) {
        this.registry = connection.registry();
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) ANSWER_PATIENCE.toMillis());
        this.bootstrapServers = String.valueOf(config.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG));
        this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads a topic from its beginning, with those of earlier calls. */
    public <T extends SpecificRecord> TopicReader topic(String topic, Class<T> type, Handler<? super T> handler) {
        return topic(topic, type, FROM_THE_BEGINNING, (partition, key, value) -> handler.take(key, value));
    }

    /** The same, told apart by partition. */
    public <T extends SpecificRecord> TopicReader partitions(
            String topic, Class<T> type, PartitionHandler<? super T> handler) {
        return topic(topic, type, FROM_THE_BEGINNING, handler);
    }

    /** Reads what was written to a topic since a moment, epoch milliseconds by the records' timestamps. */
    public <T extends SpecificRecord> TopicReader topicSince(
            String topic, Class<T> type, long sinceMillis, Handler<? super T> handler) {
        return topic(topic, type, Math.max(0, sinceMillis), (partition, key, value) -> handler.take(key, value));
    }

    /**
     * Reads everything that is committed now.
     *
     * @throws MissingTopicException when a topic does not exist
     * @throws TimeoutException when Kafka does not answer
     */
    public void readToEnd() {
        if (ends == null) {
            start();
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
            try {
                topics.get(record.topic()).taker().take(record);
                taken++;
            } catch (UndecodableException e) {
                undecodable++;
                if (firstUndecodable.isEmpty()) {
                    firstUndecodable = record.topic() + "-" + record.partition() + " offset " + record.offset() + ": "
                            + e.getMessage();
                }
            }
            count++;
        }
        return count;
    }

    /** What could not be decoded so far and was left out, in a sentence. */
    public Optional<String> leftOut() {
        return undecodable == 0
                ? Optional.empty()
                : Optional.of((undecodable == 1 ? "a record" : undecodable + " records")
                        + " could not be decoded and " + (undecodable == 1 ? "is" : "are") + " left out; "
                        + (undecodable == 1 ? "" : "the first is ") + firstUndecodable);
    }

    /** Whether there were records, and none of them could be decoded. */
    public boolean understandsNothing() {
        return undecodable > 0 && taken == 0;
    }

    @Override
    public void close() {
        consumer.close();
    }

    private <T extends SpecificRecord> TopicReader topic(
            String topic, Class<T> type, long sinceMillis, PartitionHandler<? super T> handler) {
        var values = new AvroSerde<>(registry, type).deserializer();
        topics.put(
                topic,
                new Topic(
                        sinceMillis,
                        record -> handler.take(
                                record.partition(),
                                record.key(),
                                record.value() == null ? null : values.deserialize(record.topic(), record.value()))));
        return this;
    }

    private void start() {
        List<TopicPartition> fromTheBeginning = new ArrayList<>();
        Map<TopicPartition, Long> since = new HashMap<>();
        topics.forEach((name, topic) -> partitions(name).forEach(partition -> {
            if (topic.sinceMillis() == FROM_THE_BEGINNING) {
                fromTheBeginning.add(partition);
            } else {
                since.put(partition, topic.sinceMillis());
            }
        }));
        List<TopicPartition> all = new ArrayList<>(fromTheBeginning);
        all.addAll(since.keySet());
        consumer.assign(all);
        consumer.seekToBeginning(fromTheBeginning);
        for (Map.Entry<TopicPartition, OffsetAndTimestamp> start :
                consumer.offsetsForTimes(since).entrySet()) {
            if (start.getValue() == null) {
                consumer.seekToEnd(List.of(start.getKey()));
            } else {
                consumer.seek(start.getKey(), start.getValue().offset());
            }
        }
    }

    private List<TopicPartition> partitions(String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new MissingTopicException(topic, bootstrapServers);
        }
        return partitions;
    }
}
