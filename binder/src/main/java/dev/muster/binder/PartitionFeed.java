package dev.muster.binder;

import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UndecodableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition of a compacted topic from its beginning, again at each start, and keeps up with it. Not
 * thread-safe: one thread turns it.
 *
 * @param <T> type of the values
 */
final class PartitionFeed<T> {

    /** Takes a value in; null for a tombstone. May block: reading waits then. */
    @FunctionalInterface
    interface Sink<T> {
        void take(String key, T value) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(PartitionFeed.class);
    private static final Duration WAIT = Duration.ofMillis(100);

    private final Consumer<String, byte[]> consumer;
    private final TopicPartition partition;
    private final Deserializer<T> deserializer;
    private final Sink<T> sink;
    private final OutcomePublisher publisher;
    private final Halt halt = new Halt();
    private final Deque<ConsumerRecord<String, byte[]>> backlog = new ArrayDeque<>();

    PartitionFeed(
            Consumer<String, byte[]> consumer,
            TopicPartition partition,
            Deserializer<T> deserializer,
            Sink<T> sink,
            OutcomePublisher publisher) {
        this.consumer = consumer;
        this.partition = partition;
        this.deserializer = deserializer;
        this.sink = sink;
        this.publisher = publisher;
    }

    void start() {
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** Once round: read and hand on. */
    void turn() throws InterruptedException {
        if (backlog.isEmpty()) {
            consumer.poll(WAIT).forEach(backlog::add);
        }
        while (!backlog.isEmpty()) {
            ConsumerRecord<String, byte[]> record = backlog.peek();
            try {
                sink.take(record.key(), deserializer.deserialize(record.topic(), record.value()));
            } catch (RegistryUnavailableException e) {
                LOG.warn("{}@{} waits for the schema registry: {}", partition, record.offset(), e.getMessage());
                BinderClock.SYSTEM.await(halt.closed(), WAIT.toMillis());
                return;
            } catch (UndecodableException e) {
                publisher.refuse(record, e.reason(), e.getMessage(), halt);
            }
            backlog.remove();
        }
    }

    /** Gives up what it waits for. From any thread. */
    void stop() {
        halt.close();
    }

    void close() {
        consumer.close();
    }
}
