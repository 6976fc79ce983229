package dev.muster.standalone.faults;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** A consumer of {@link MemoryKafka}, as far as production code uses one. */
final class MemoryConsumer extends MockConsumer<String, byte[]> {
    private final MemoryKafka kafka;
    private final String group;
    private final BooleanSupplier commitIsLost;

    /** A consumer of a group; commits for which {@code commitIsLost} says so never arrive. */
    MemoryConsumer(MemoryKafka kafka, String group, BooleanSupplier commitIsLost) {
        super("earliest");
        this.kafka = kafka;
        this.group = group;
        this.commitIsLost = commitIsLost;
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
        super.assign(partitions);
        Map<TopicPartition, Long> begin = new HashMap<>();
        partitions.forEach(partition -> begin.put(partition, 0L));
        updateBeginningOffsets(begin);
    }

    @Override
    public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
        for (TopicPartition partition : assignment()) {
            if (!paused().contains(partition)) {
                for (MemoryKafka.Entry entry : kafka.read(partition.topic(), position(partition), 500)) {
                    addRecord(new ConsumerRecord<>(
                            entry.topic(),
                            0,
                            entry.offset(),
                            entry.timeMillis(),
                            org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                            0,
                            entry.value() == null ? 0 : entry.value().length,
                            entry.key(),
                            entry.value(),
                            new org.apache.kafka.common.header.internals.RecordHeaders(),
                            java.util.Optional.empty()));
                }
            }
        }
        ConsumerRecords<String, byte[]> records = super.poll(timeout);
        for (TopicPartition partition : assignment()) {
            // Past the control records at the end, as the real consumer goes.
            if (!paused().contains(partition) && !kafka.hasAfter(partition.topic(), position(partition))) {
                seek(partition, kafka.end(partition.topic()));
            }
        }
        return records;
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        for (TopicPartition partition : partitions) {
            long offset = kafka.committed(group, partition.topic());
            committed.put(partition, offset < 0 ? null : new OffsetAndMetadata(offset));
        }
        return committed;
    }

    @Override
    public synchronized void commitAsync(
            Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        if (commitIsLost.getAsBoolean()) {
            callback.onComplete(offsets, new TimeoutException("the commit was lost"));
            return;
        }
        offsets.forEach((partition, offset) -> kafka.commitOffset(group, partition.topic(), offset.offset()));
        callback.onComplete(offsets, null);
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        offsets.forEach((partition, offset) -> kafka.commitOffset(group, partition.topic(), offset.offset()));
    }

    @Override
    public synchronized OptionalLong currentLag(TopicPartition partition) {
        return OptionalLong.of(kafka.end(partition.topic()) - position(partition));
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        partitions.forEach(partition -> ends.put(partition, kafka.end(partition.topic())));
        return ends;
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        Map<TopicPartition, OffsetAndTimestamp> found = new HashMap<>();
        times.forEach((partition, millis) -> found.put(
                partition,
                kafka.read(partition.topic(), 0, Integer.MAX_VALUE).stream()
                        .filter(entry -> entry.timeMillis() >= millis)
                        .findFirst()
                        .map(entry -> new OffsetAndTimestamp(entry.offset(), entry.timeMillis()))
                        .orElse(null)));
        return found;
    }
}
