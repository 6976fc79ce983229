package dev.muster.ingest.publish;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.SchemaRegistry;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one domain's records. The producer is idempotent, so that a retry neither doubles nor reorders; its buffer is
 * bounded, so that a broker that is away makes {@link #send} wait. A record that is lost for good is told to
 * {@link Failure}: what was published is then no longer known, and a fresh list under a new epoch must say it again.
 */
public final class EventPublisher {

    /** Told once for each record that could not be written. */
    @FunctionalInterface
    public interface Failure {
        /** A record was lost: {@code tooLarge} when it alone is at fault, else the ones after it may be lost too. */
        void lost(String topic, String key, boolean tooLarge, Exception cause);
    }

    /** Takes records on their way to the domain's partition. */
    public interface Sender {
        /** Takes one record; a null value is a tombstone. Records of one thread and topic keep their order. */
        void send(String topic, String key, byte[] value);

        /** Waits until everything taken so far is safe. */
        void flush();
    }

    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final long REGISTRY_RETRY_MILLIS = 500;

    private final Sender sender;
    private final String deadLetters;
    private final Map<Class<?>, Serializer<?>> serializers = new HashMap<>();

    /**
     * A publisher.
     *
     * @param partition the domain's partition in every trusted topic
     * @param deadLetters full name of the dead letter topic
     */
    public EventPublisher(
            Producer<String, byte[]> producer,
            SchemaRegistry registry,
            int partition,
            String deadLetters,
            Failure failure) {
        this(new ProducerSender(producer, partition, failure), registry, deadLetters);
    }

    /** A publisher to whatever takes its records. */
    public EventPublisher(Sender sender, SchemaRegistry registry, String deadLetters) {
        this.sender = sender;
        this.deadLetters = deadLetters;
        add(registry, NodeEvent.class);
        add(registry, PodEvent.class);
        add(registry, GroupEvent.class);
        add(registry, HealthEvent.class);
        add(registry, NumaEvent.class);
        add(registry, PolicyEvent.class);
        add(registry, DeadLetter.class);
    }

    private <R extends SpecificRecord> void add(SchemaRegistry registry, Class<R> type) {
        serializers.put(type, new AvroSerde<>(registry, type).serializer());
    }

    /**
     * Settings for the producer: {@code given} (bootstrap servers, security) with what ordering and durability need.
     * Retries never end by themselves; they end when the producer is closed.
     */
    public static Map<String, Object> producerConfig(Map<String, Object> given) {
        Map<String, Object> config = new HashMap<>(given);
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
        config.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 3);
        config.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        config.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, 32L << 20);
        return config;
    }

    /** Sends one record; null is a tombstone. Records of one thread and topic keep their order. */
    void send(String topic, String key, SpecificRecord value) {
        byte[] bytes = value == null ? null : bytes(topic, value);
        sender.send(topic, key, bytes);
    }

    /** Sends a dead letter. */
    void sendDeadLetter(DeadLetter letter) {
        send(deadLetters, letter.getSource(), letter);
    }

    /** Waits until everything sent so far is acknowledged. */
    void flush() {
        sender.flush();
    }

    private record ProducerSender(Producer<String, byte[]> producer, int partition, Failure failure) implements Sender {
        @Override
        public void send(String topic, String key, byte[] value) {
            producer.send(new ProducerRecord<>(topic, partition, key, value), (metadata, e) -> {
                if (e != null) {
                    failure.lost(topic, key, e instanceof RecordTooLargeException, e);
                }
            });
        }

        @Override
        public void flush() {
            producer.flush();
        }
    }

    /** Waits for a registry that is away, as for a broker: it is asked once per schema. */
    @SuppressWarnings("unchecked")
    private byte[] bytes(String topic, SpecificRecord value) {
        Serializer<SpecificRecord> serializer = (Serializer<SpecificRecord>) serializers.get(value.getClass());
        while (true) {
            try {
                return serializer.serialize(topic, value);
            } catch (RegistryUnavailableException e) {
                LOG.warn("Schema registry is away, trying again: {}", e.getMessage());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(REGISTRY_RETRY_MILLIS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
