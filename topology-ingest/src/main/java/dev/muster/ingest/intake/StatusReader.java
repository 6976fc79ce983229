package dev.muster.ingest.intake;

import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.serde.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topic workload-status for the projector. It reads from the beginning each time it starts: what lies before
 * the committed offset was told already and only refreshes the projector's memory; what lies behind it is news. So a
 * restart tells nothing twice.
 */
final class StatusReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StatusReader.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;
    private final Deserializer<WorkloadStatus> deserializer;
    private final StatusProjector projector;
    private final Map<TopicPartition, Long> toldBefore = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> nextOffsets = new HashMap<>();

    /** @param partitions partitions of the domains whose tenants are served */
    StatusReader(
            String topic,
            Collection<Integer> partitions,
            Consumer<byte[], byte[]> consumer,
            Deserializer<WorkloadStatus> deserializer,
            StatusProjector projector) {
        this.topic = topic;
        this.consumer = consumer;
        this.deserializer = deserializer;
        this.projector = projector;
        List<TopicPartition> assignment = partitions.stream()
                .sorted()
                .map(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(assignment);
        consumer.committed(new HashSet<>(assignment), TIMEOUT).forEach((partition, offset) -> {
            if (offset != null) {
                toldBefore.put(partition, offset.offset());
            }
        });
        consumer.seekToBeginning(assignment);
    }

    /** The news since the last call, in order. */
    List<StatusProjector.News> next(Duration wait) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(wait);
        List<StatusProjector.News> news = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            var projected = projector.project(new String(record.key(), StandardCharsets.UTF_8), decode(record));
            long told = toldBefore.getOrDefault(new TopicPartition(topic, record.partition()), 0L);
            if (record.offset() >= told) {
                projected.ifPresent(news::add);
            }
        }
        nextOffsets.putAll(records.nextOffsets());
        return news;
    }

    /** The offsets that follow everything read so far, never behind those committed before. */
    Map<TopicPartition, OffsetAndMetadata> nextOffsets() {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        nextOffsets.forEach((partition, offset) -> {
            if (offset.offset() >= toldBefore.getOrDefault(partition, 0L)) {
                next.put(partition, offset);
            }
        });
        return next;
    }

    /** The consumer group that the offsets are committed under. */
    ConsumerGroupMetadata group() {
        return consumer.groupMetadata();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(TIMEOUT));
    }

    private WorkloadStatus decode(ConsumerRecord<byte[], byte[]> record) {
        try {
            return deserializer.deserialize(topic, record.value());
        } catch (UndecodableException e) {
            // The scheduler is this topic's only writer and its own readers report the record; here a status less is
            // told.
            LOG.warn("{}-{} offset {}: {}", topic, record.partition(), record.offset(), e.getMessage());
            return null;
        }
    }
}
