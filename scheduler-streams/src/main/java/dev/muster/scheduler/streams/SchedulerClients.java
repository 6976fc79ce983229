package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka Streams' clients, but for two things.
 *
 * <p>The input of a halted domain is not read. Streams has no pause for a single task: without this, a broken law would
 * stop all domains of its thread, again and again. The halted domain's offsets do not move, so that nothing is lost when
 * the process is started with a better engine.
 *
 * <p>A thread's transactional id stays the same over restarts. Streams makes one up for each life of a process that keeps no
 * state on disk, so that the transaction of a process that was killed stays open until it times out, and its domains
 * wait. Under the same id the new producer's first request ends the transaction of the one before.
 */
final class SchedulerClients implements KafkaClientSupplier {
    private final String transactionalIds;
    private final Vitals vitals;

    SchedulerClients(SchedulerConfig config, Vitals vitals) {
        this.transactionalIds = config.applicationId() + "-" + config.instanceId() + "-";
        this.vitals = vitals;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        Map<String, Object> stable = new HashMap<>(config);
        stable.computeIfPresent(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG, (name, madeUp) -> transactionalIds + threadOf((String) madeUp));
        return new KafkaProducer<>(stable, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new PausingConsumer(config, vitals);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return plain(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return plain(config);
    }

    /** Streams ends the ids that it makes up with the number of the thread. */
    private static String threadOf(String transactionalId) {
        return transactionalId.substring(transactionalId.lastIndexOf('-') + 1);
    }

    private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static final class PausingConsumer extends KafkaConsumer<byte[], byte[]> {
        private final Vitals vitals;

        PausingConsumer(Map<String, Object> config, Vitals vitals) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.vitals = vitals;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (!vitals.anyHalted()) {
                return super.poll(timeout);
            }
            // Each time anew: Streams resumes what it has room for.
            pause(assignment().stream().filter(this::isHalted).toList());
            return withoutHalted(super.poll(timeout));
        }

        /** Partitions that were assigned during the poll may have been read already. */
        private ConsumerRecords<byte[], byte[]> withoutHalted(ConsumerRecords<byte[], byte[]> polled) {
            if (polled.partitions().stream().noneMatch(this::isHalted)) {
                return polled;
            }
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> kept = new HashMap<>();
            for (TopicPartition partition : polled.partitions()) {
                if (!isHalted(partition)) {
                    kept.put(partition, new ArrayList<>(polled.records(partition)));
                }
            }
            var next = new HashMap<>(polled.nextOffsets());
            next.keySet().removeIf(this::isHalted);
            return new ConsumerRecords<>(kept, next);
        }

        private boolean isHalted(TopicPartition partition) {
            return vitals.isHalted(partition.partition());
        }
    }
}
