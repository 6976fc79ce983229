package dev.muster.standalone.replay;

import dev.muster.standalone.stack.MissingTopicException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One partition from its beginning to what is committed when the reading starts, record by record. Bytes that do not fit
 * their checksum are noted and read all the same, so that what is different can be named.
 */
final class PartitionReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Object> kafka;
    private final TopicPartition partition;
    private final long end;
    private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();
    private KafkaConsumer<byte[], byte[]> consumer;
    private Damage damage;

    /**
     * @throws org.apache.kafka.common.errors.TimeoutException when Kafka does not answer
     * @throws MissingTopicException when there is no such partition
     */
    PartitionReader(Map<String, Object> kafka, TopicPartition partition) {
        this.kafka = kafka;
        this.partition = partition;
        this.consumer = consumer(true);
        requireThere();
        consumer.seekToBeginning(List.of(partition));
        this.end = consumer.endOffsets(List.of(partition)).get(partition);
    }

    /**
     * Bytes that are not as they were written.
     *
     * @param offset first offset of the batch they are in
     * @param readable whether what they say now could be read
     */
    record Damage(long offset, boolean readable, String message) {}

    /** The next record, or empty at the end, or where nothing can be read from here on (see {@link #damage}). */
    Optional<ConsumerRecord<byte[], byte[]>> next() {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (fetched.isEmpty() && (damage == null || damage.readable()) && consumer.position(partition) < end) {
            poll();
            if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException(partition + " could not be read on from offset "
                        + consumer.position(partition) + " in " + PATIENCE.toSeconds() + " s");
            }
        }
        return Optional.ofNullable(fetched.poll());
    }

    /** Whether more was committed since the reading started. */
    boolean grown() {
        return consumer.endOffsets(List.of(partition)).get(partition) > end;
    }

    /** The first damage found so far. */
    Optional<Damage> damage() {
        return Optional.ofNullable(damage);
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** Asking for offsets of what does not exist would only end by time. */
    private void requireThere() {
        List<PartitionInfo> partitions = consumer.partitionsFor(partition.topic());
        if (partitions.stream().noneMatch(info -> info.partition() == partition.partition())) {
            consumer.close();
            throw new MissingTopicException(
                    partition.topic()
                            + (partitions.isEmpty()
                                    ? ""
                                    : " with a partition " + partition.partition() + "; it has " + partitions.size()),
                    String.valueOf(kafka.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)));
        }
    }

    private void poll() {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < end) {
                    fetched.add(record);
                }
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            if (!isDamage(e)) {
                throw e;
            }
            boolean readable = damage == null;
            damage = new Damage(
                    damage == null ? consumer.position(partition) : damage.offset(),
                    readable,
                    "bytes do not fit their checksum" + (readable ? "" : " and cannot be read any more"));
            if (readable) {
                readUnchecked(consumer.position(partition));
            }
        }
    }

    /** What a fetch throws about the data; what it throws about the connection is retriable or about rights. */
    private static boolean isDamage(KafkaException problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptRecordException) {
                return true;
            }
        }
        return problem.getClass() == KafkaException.class && !(problem.getCause() instanceof RetriableException);
    }

    private void readUnchecked(long offset) {
        consumer.close();
        consumer = consumer(false);
        consumer.seek(partition, offset);
    }

    private KafkaConsumer<byte[], byte[]> consumer(boolean checked) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.CHECK_CRCS_CONFIG, checked);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        KafkaConsumer<byte[], byte[]> made =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        made.assign(List.of(partition));
        return made;
    }
}
