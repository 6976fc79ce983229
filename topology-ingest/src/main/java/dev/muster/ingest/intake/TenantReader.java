package dev.muster.ingest.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one tenant's commands with a consumer of its own: whatever goes wrong with its topic, or however much it
 * sends, is met here and costs this tenant alone: after a failure it waits, twice as long each time, up to 32 times
 * the first wait. Partitions are assigned by hand; what keeps two intakes apart is the transactional id.
 */
final class TenantReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TenantReader.class);
    private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(2);
    private static final int DOUBLINGS_MAX = 5;

    private final TenantPolicy policy;
    private final String topic;
    private final Consumer<byte[], byte[]> consumer;
    private final CommandDecoder decoder;
    private final IntakeMetrics metrics;
    private final long backoffNanos;
    private final LongSupplier nanos;

    private boolean assigned;
    private int failures;
    private long failedAtNanos;
    private String lastComplaint = "";

    TenantReader(
            TenantPolicy policy,
            String topic,
            Consumer<byte[], byte[]> consumer,
            CommandDecoder decoder,
            IntakeMetrics metrics,
            Duration backoff,
            LongSupplier nanos) {
        this.policy = policy;
        this.topic = topic;
        this.consumer = consumer;
        this.decoder = decoder;
        this.metrics = metrics;
        this.backoffNanos = backoff.toNanos();
        this.nanos = nanos;
    }

    /** A command, or what stands in its place, with the record it came in. */
    record Arrival(ConsumerRecord<byte[], byte[]> record, CommandDecoder.Decoded decoded) {}

    /** What was read together, and the offsets that follow it. */
    record Batch(List<Arrival> arrivals, Map<TopicPartition, OffsetAndMetadata> nextOffsets) {
        static final Batch EMPTY = new Batch(List.of(), Map.of());
    }

    TenantPolicy policy() {
        return policy;
    }

    /** The consumer group that the tenant's offsets are committed under. */
    ConsumerGroupMetadata group() {
        return consumer.groupMetadata();
    }

    /** Whether the tenant may be read now: it does not wait after a failure. */
    boolean isDue() {
        return failures == 0
                || nanos.getAsLong() - failedAtNanos >= backoffNanos << Math.min(failures - 1, DOUBLINGS_MAX);
    }

    /** The next batch; empty when there is none within {@code wait}, or when reading failed. */
    Batch next(Duration wait) {
        ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
        try {
            if (!assign()) {
                return Batch.EMPTY;
            }
            records = consumer.poll(wait);
            List<Arrival> arrivals = new ArrayList<>(records.count());
            for (ConsumerRecord<byte[], byte[]> record : records) {
                arrivals.add(new Arrival(record, decoder.decode(topic, record.value())));
            }
            failures = 0;
            lastComplaint = "";
            return new Batch(arrivals, records.nextOffsets());
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            // Kafka's own failures and a registry that cannot be asked alike: nothing was answered, read again later.
            rewind(records);
            backOff(e.toString());
            return Batch.EMPTY;
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(METADATA_TIMEOUT));
    }

    private boolean assign() {
        if (!assigned) {
            List<PartitionInfo> partitions = consumer.partitionsFor(topic, METADATA_TIMEOUT);
            if (partitions == null || partitions.isEmpty()) {
                backOff("the topic does not exist");
                return false;
            }
            consumer.assign(partitions.stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList());
            assigned = true;
        }
        return true;
    }

    private void rewind(ConsumerRecords<byte[], byte[]> records) {
        Map<TopicPartition, Long> first = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            first.put(partition, records.records(partition).getFirst().offset());
        }
        first.forEach(consumer::seek);
    }

    private void backOff(String why) {
        if (!why.equals(lastComplaint)) {
            LOG.warn("tenant {}: cannot read {}, trying again later: {}", policy.tenant(), topic, why);
            lastComplaint = why;
        }
        metrics.tenantBackedOff(policy.tenant());
        failures++;
        failedAtNanos = nanos.getAsLong();
    }
}
