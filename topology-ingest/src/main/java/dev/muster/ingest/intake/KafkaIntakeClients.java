package dev.muster.ingest.intake;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Real Kafka clients. Settings of the operator (addresses, TLS, SASL) are taken as they are; what correctness rests
 * on is set here and wins.
 */
final class KafkaIntakeClients implements IntakeClients {

    private static final int TENANT_FETCH_BYTES = 1 << 20;
    private static final int GATHER_MILLIS = 1_000;
    private static final int BATCH_BYTES = 256 * 1024;
    private static final int REQUEST_BYTES_MAX = 4 << 20;

    private final IntakeConfig config;
    private final String groupId;
    private final Map<String, Object> clientConfig;

    /** @param groupId consumer group that offsets are kept under, and the transactional id */
    KafkaIntakeClients(IntakeConfig config, String groupId, Map<String, Object> clientConfig) {
        this.config = config;
        this.groupId = groupId;
        this.clientConfig = Map.copyOf(clientConfig);
    }

    @Override
    public Producer<String, byte[]> producer() {
        Map<String, Object> settings = new HashMap<>(clientConfig);
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, groupId + "-producer");
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, groupId);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                config.transactionTimeout().toMillis());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        // A commit flushes at once. Until then records gather, so that a partition gets one batch per transaction: the
        // broker
        // refuses a second batch that overtakes the first of a transaction, and the repetition costs 100 ms.
        settings.put(ProducerConfig.LINGER_MS_CONFIG, GATHER_MILLIS);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES_MAX);
        return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> tenantConsumer(String tenant, int maxRecords) {
        Map<String, Object> settings = consumerSettings(groupId + "-tenant-" + tenant);
        // A tenant's topic is emptied by age: what was not read by then cannot be answered, but what follows must be.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxRecords);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, TENANT_FETCH_BYTES);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, TENANT_FETCH_BYTES);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> trustedConsumer(String purpose) {
        Map<String, Object> settings = consumerSettings(groupId + "-" + purpose);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Map<String, Object> consumerSettings(String clientId) {
        Map<String, Object> settings = new HashMap<>(clientConfig);
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }
}
