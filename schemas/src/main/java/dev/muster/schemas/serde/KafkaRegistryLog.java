package dev.muster.schemas.serde;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;

import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A registry's log as a compacted topic of one partition. Meant for one registry at a time, and safe with more: an entry
 * is acknowledged only if it is the next one after what was read, and of two entries that contradict each other
 * {@link RegistryState} takes the first.
 */
final class KafkaRegistryLog implements RegistryLog {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Object> clientConfig;
    private final String topic;
    private KafkaProducer<String, String> producer;
    private long nextOffset;

    KafkaRegistryLog(Map<String, Object> clientConfig, String topic) {
        this.clientConfig = Map.copyOf(clientConfig);
        this.topic = topic;
    }

    @Override
    public List<RegistryEntry> open() {
        close();
        try (Admin admin = Admin.create(clientConfig)) {
            TopicAdmin.ensure(
                    admin,
                    List.of(new TopicSpec(topic, 1, Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT))),
                    PATIENCE);
        }
        List<RegistryEntry> entries = readToEnd();
        producer = newProducer();
        return entries;
    }

    @Override
    public void append(RegistryEntry entry) {
        ProducerRecord<String, String> record =
                new ProducerRecord<>(topic, 0, RegistryEntryJson.key(entry), RegistryEntryJson.value(entry));
        long offset;
        try {
            offset = producer.send(record).get().offset();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        if (offset != nextOffset) {
            throw new KafkaException("another schema registry writes to topic " + topic);
        }
        nextOffset = offset + 1;
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    private KafkaProducer<String, String> newProducer() {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private List<RegistryEntry> readToEnd() {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        TopicPartition partition = new TopicPartition(topic, 0);
        List<TopicPartition> partitions = List.of(partition);
        List<RegistryEntry> entries = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seek(
                    partition, consumer.beginningOffsets(partitions, PATIENCE).get(partition));
            long end = consumer.endOffsets(partitions, PATIENCE).get(partition);
            while (consumer.position(partition, PATIENCE) < end) {
                for (ConsumerRecord<String, String> found : consumer.poll(Duration.ofMillis(200))) {
                    entries.add(RegistryEntryJson.read(found.key(), found.value()));
                }
                if (System.nanoTime() > deadlineNanos) {
                    throw new TimeoutException("topic " + topic + " could not be read to its end in time");
                }
            }
            nextOffset = end;
        }
        return entries;
    }
}
