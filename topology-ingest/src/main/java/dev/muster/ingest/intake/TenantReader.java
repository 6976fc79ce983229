package dev.muster.ingest.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
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
 *
 * <p>Brokers count batches as they came, packed: a megabyte may unpack to hundreds. When that is more than there is memory
 * for, the tenant is read on record by record, and what exhausts the memory {@link BombTrail#TRIES} times at the same
 * place is skipped, with a dead letter.
 */
final class TenantReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TenantReader.class);
    private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(2);
    private static final int DOUBLINGS_MAX = 5;

    private final TenantPolicy policy;
    private final String topic;
    private final IntFunction<Consumer<byte[], byte[]>> consumers;
    private final int maxRecords;
    private final CommandDecoder decoder;
    private final IntakeMetrics metrics;
    private final long backoffNanos;
    private final LongSupplier nanos;

    private Consumer<byte[], byte[]> consumer;
    private List<TopicPartition> partitions = List.of();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    /** Where memory was exhausted; null while all is read in batches. */
    private BombTrail trail;

    private int failures;
    private long failedAtNanos;
    private String lastComplaint = "";

    TenantReader(
            TenantPolicy policy,
            String topic,
            IntFunction<Consumer<byte[], byte[]>> consumers,
            int maxRecords,
            CommandDecoder decoder,
            IntakeMetrics metrics,
            Duration backoff,
            LongSupplier nanos) {
        this.policy = policy;
        this.topic = topic;
        this.consumers = consumers;
        this.maxRecords = maxRecords;
        this.consumer = consumers.apply(maxRecords);
        this.decoder = decoder;
        this.metrics = metrics;
        this.backoffNanos = backoff.toNanos();
        this.nanos = nanos;
    }

    /** A command, or what stands in its place, with the record it came in. */
    record Arrival(ConsumerRecord<byte[], byte[]> record, CommandDecoder.Decoded decoded) {}

    /** Offsets that can't be read: {@code from}, up to but not including {@code to}. */
    record Skip(TopicPartition partition, long from, long to) {}

    /** What was read together, what is passed over, and the offsets that follow both. */
    record Batch(List<Arrival> arrivals, List<Skip> skips, Map<TopicPartition, OffsetAndMetadata> nextOffsets) {
        static final Batch EMPTY = new Batch(List.of(), List.of(), Map.of());

        boolean isEmpty() {
            return arrivals.isEmpty() && skips.isEmpty();
        }
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
            records.nextOffsets().forEach((partition, next) -> positions.put(partition, next.offset()));
            if (trail != null && trail.calm(records.count())) {
                trail = null;
                reopen();
            }
            return new Batch(arrivals, List.of(), records.nextOffsets());
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            return exhausted();
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
        if (partitions.isEmpty()) {
            List<PartitionInfo> infos = consumer.partitionsFor(topic, METADATA_TIMEOUT);
            if (infos == null || infos.isEmpty()) {
                backOff("the topic does not exist");
                return false;
            }
            partitions = infos.stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
        }
        if (trail != null) {
            // One partition at a time, so that it is known where memory is exhausted.
            TopicPartition turn = trail.current();
            if (!consumer.assignment().equals(Set.of(turn))) {
                consumer.assign(List.of(turn));
                seekTo(List.of(turn));
            }
        }
        return true;
    }

    /** Memory was exhausted by what was to be read next. Only a new consumer is sure to have forgotten half of it. */
    private Batch exhausted() {
        if (trail == null) {
            trail = new BombTrail(partitions);
            return readAgain();
        }
        TopicPartition at = trail.current();
        long position = consumer.position(at, METADATA_TIMEOUT);
        if (!trail.exhaustedAt(position)) {
            return readAgain();
        }
        long end = consumer.endOffsets(List.of(at), METADATA_TIMEOUT).get(at);
        long to = trail.skip(position, end);
        positions.put(at, to);
        reopen();
        LOG.warn(
                "tenant {}: offsets {} to {} of {} take more memory to unpack than there is: skipped",
                policy.tenant(),
                position,
                to - 1,
                at);
        return new Batch(List.of(), List.of(new Skip(at, position, to)), Map.of(at, new OffsetAndMetadata(to)));
    }

    private Batch readAgain() {
        reopen();
        backOff("its next records take more memory to unpack than there is");
        return Batch.EMPTY;
    }

    private void reopen() {
        consumer.close(CloseOptions.timeout(METADATA_TIMEOUT));
        consumer = consumers.apply(trail == null ? maxRecords : 1);
        if (trail == null) {
            consumer.assign(partitions);
            seekTo(partitions);
        }
    }

    /** What was handed out is committed by now, or the session with this reader is gone; a new consumer may not know it yet. */
    private void seekTo(List<TopicPartition> assigned) {
        for (TopicPartition partition : assigned) {
            Long position = positions.get(partition);
            if (position != null) {
                consumer.seek(partition, position);
            }
        }
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
