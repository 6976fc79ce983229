package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The scheduler's settings for Kafka Streams. What costs latency, recovery time or safety is set here and says why. */
final class StreamsSettings {
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final int FETCHED_RECORDS = 500;
    private static final int LARGEST_REQUEST_BYTES = 32 << 20;
    private static final int BATCH_BYTES = 128 << 10;
    private static final long PRODUCER_BUFFER_BYTES = 64L << 20;

    private StreamsSettings() {}

    static Properties of(SchedulerConfig config) {
        Properties p = new Properties();
        p.putAll(config.client());
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitIntervalMillis());
        p.put(StreamsConfig.POLL_MS_CONFIG, 5);

        // The order in which topics are read is recorded, not relied upon: waiting for a topic that is behind gains
        // nothing.
        p.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        // A thread looks up from its input, to stop or to rebalance, when it has worked off what it fetched.
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), FETCHED_RECORDS);
        p.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, FETCHED_RECORDS);
        // An optimised topology may use a source topic as a changelog, which can come back empty (KAFKA-20416).
        p.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.NO_OPTIMIZATION);
        p.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);

        // Static membership: a restart within the session time finds its tasks without a rebalance.
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), config.instanceId());
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), (int) SESSION.toMillis());
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), (int)
                HEARTBEAT.toMillis());

        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                config.transactionTimeoutMillis());
        // A commit sends what is left at once; until then a few large requests cost the brokers less than many small
        // ones.
        p.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
        // The first batch of a transaction joins its partition to it; one that overtakes it is refused and sent again.
        // With one request under way at a time none can.
        p.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        // Counted before compression: the decision of a gang of 10,000 pods is one record, and so is its hold.
        p.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), LARGEST_REQUEST_BYTES);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), PRODUCER_BUFFER_BYTES);
        return p;
    }
}
