package dev.muster.ingest.intake;

import dev.muster.schemas.job.Submission;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads topic submissions from its beginning to its end, as it is when the reading starts. */
final class SubmissionsReplay {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int POLLS_WITHOUT_PROGRESS_MAX = 150;

    private SubmissionsReplay() {}

    /**
     * Hands every submission to {@code into}, in the order of its partition.
     *
     * @param running asked between polls; false ends the reading early
     * @throws TimeoutException when the end is not reached because nothing comes for 30 s
     */
    static void read(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            String topic,
            Collection<Integer> partitions,
            Deserializer<Submission> deserializer,
            Consumer<Submission> into,
            BooleanSupplier running) {
        List<TopicPartition> assignment = partitions.stream()
                .sorted()
                .map(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(assignment);
        consumer.seekToBeginning(assignment);
        Map<TopicPartition, Long> end = consumer.endOffsets(assignment);
        int idlePolls = 0;
        while (running.getAsBoolean() && !reached(consumer, end)) {
            var records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : records) {
                into.accept(deserializer.deserialize(topic, record.value()));
            }
            idlePolls = records.isEmpty() ? idlePolls + 1 : 0;
            if (idlePolls > POLLS_WITHOUT_PROGRESS_MAX) {
                throw new TimeoutException("topic " + topic + ": nothing more comes, but the end is not reached");
            }
        }
    }

    private static boolean reached(
            org.apache.kafka.clients.consumer.Consumer<?, ?> consumer, Map<TopicPartition, Long> end) {
        return end.entrySet().stream().allMatch(entry -> consumer.position(entry.getKey()) >= entry.getValue());
    }
}
