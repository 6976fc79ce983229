package dev.muster.scheduler.streams;

import dev.muster.schemas.journal.JournalEntry;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal's tail as the brokers have it. */
final class KafkaJournalTail implements JournalTail {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaJournalTail.class);
    private static final long CALL_SECONDS = 10;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final long FIRST_STEP_BACK = 200;
    private static final int STEPS_GROW = 10;

    private final Map<String, Object> client;
    private final String topic;
    private final SchemaRegistry registry;
    private final String applicationId;
    private final Duration patience;

    /**
     * @param applicationId what transactional ids of schedulers begin with
     * @param patience longest wait for an open transaction: more than the time after which brokers abort one
     */
    KafkaJournalTail(
            Map<String, Object> client,
            String topic,
            SchemaRegistry registry,
            String applicationId,
            Duration patience) {
        this.client = client;
        this.topic = topic;
        this.registry = registry;
        this.applicationId = applicationId;
        this.patience = patience;
    }

    @Override
    public long read(int partition, long from, Consumer<JournalEntry> taker) {
        TopicPartition journal = new TopicPartition(topic, partition);
        long written;
        try (var all = consumer("read_uncommitted")) {
            written = endOf(all, journal);
        }
        try (var committed = consumer("read_committed")) {
            if (endOf(committed, journal) < written) {
                fence(journal);
            }
            long end = awaitCommitted(committed, journal, written);
            committed.assign(List.of(journal));
            long begin = committed.beginningOffsets(List.of(journal)).get(journal);
            Reading reading =
                    new Reading(committed, journal, end, new AvroSerde<>(registry, JournalEntry.class).deserializer());
            return reading.from(begin, from, taker);
        }
    }

    /** What was written by now is committed or aborted: the end of what is either. */
    private long awaitCommitted(KafkaConsumer<byte[], byte[]> consumer, TopicPartition journal, long written) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            long end = endOf(consumer, journal);
            if (end >= written) {
                return end;
            }
            if (System.nanoTime() > deadlineNanos) {
                throw new TimeoutException("a transaction on " + journal + " from offset " + end
                        + " on stays open for more than " + patience.toSeconds() + " s");
            }
            try {
                Thread.sleep(LOOK_AGAIN_MILLIS);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }

    /**
     * Ends what an earlier owner of the domain left open, rather than wait for the brokers to find it too old: it died, or it
     * will find itself fenced. What it had already begun to commit is committed.
     */
    private void fence(TopicPartition journal) {
        try (Admin admin = Admin.create(without(ConsumerConfig.CLIENT_ID_CONFIG))) {
            Set<Long> open = admin
                    .describeProducers(List.of(journal))
                    .partitionResult(journal)
                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                    .activeProducers()
                    .stream()
                    .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                    .map(ProducerState::producerId)
                    .collect(Collectors.toSet());
            if (open.isEmpty()) {
                return;
            }
            List<String> ids = admin
                    .listTransactions(new ListTransactionsOptions().filterProducerIds(open))
                    .all()
                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                    .stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(applicationId + "-"))
                    .toList();
            LOG.info("{}: transactions of an earlier owner are open, ending {}", journal, ids);
            admin.fenceProducers(ids).all().get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            LOG.warn("{}: open transactions are left to time out: {}", journal, e.toString());
        }
    }

    private Map<String, Object> without(String name) {
        Map<String, Object> config = new HashMap<>(client);
        config.remove(name);
        return config;
    }

    private static long endOf(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        return consumer.endOffsets(List.of(partition)).get(partition);
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> config = without(ConsumerConfig.CLIENT_ID_CONFIG);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** One reading of the partition up to an end; what is behind it is not there yet. */
    private record Reading(
            KafkaConsumer<byte[], byte[]> consumer,
            TopicPartition partition,
            long end,
            Deserializer<JournalEntry> values) {
        /**
         * Looks back in growing steps for a place at or before {@code from}, since offsets are not sequences, then reads
         * on to the end.
         */
        long from(long begin, long from, Consumer<JournalEntry> taker) {
            for (long back = FIRST_STEP_BACK; ; back *= STEPS_GROW) {
                long start = Math.max(begin, end - back);
                JournalEntry first = next(start);
                if (start == begin || (first != null && first.getSequence() <= from)) {
                    return first == null ? 0 : read(start, from, taker);
                }
            }
        }

        private JournalEntry next(long start) {
            consumer.seek(partition, start);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    return record.offset() < end ? values.deserialize(record.topic(), record.value()) : null;
                }
            }
            return null;
        }

        private long read(long start, long from, Consumer<JournalEntry> taker) {
            consumer.seek(partition, start);
            long next = 0;
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    JournalEntry entry = values.deserialize(record.topic(), record.value());
                    if (record.offset() < end && entry.getSequence() >= from) {
                        taker.accept(entry);
                    }
                    next = record.offset() < end ? entry.getSequence() + 1 : next;
                }
            }
            return next;
        }
    }
}
