package dev.muster.binder;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * How the binder reads and writes: settings that its promises rest on, on top of what reaches and opens the cluster.
 */
final class KafkaSettings {

    private static final int MAX_REQUEST_BYTES = 16 << 20;

    private KafkaSettings() {}

    /** A reader of committed records that never jumps to another offset by itself. */
    static KafkaConsumer<String, byte[]> consumer(Map<String, Object> client, String groupId, int maxPollRecords) {
        Map<String, Object> config = new HashMap<>(client);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        if (!groupId.isEmpty()) {
            config.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        }
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** A writer that neither loses nor doubles a record. */
    static KafkaProducer<String, byte[]> producer(Map<String, Object> client) {
        Map<String, Object> config = new HashMap<>(client);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        // The outcome of a gang of 10,000 has more than the default megabyte before it is compressed.
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }
}
