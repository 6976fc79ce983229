package dev.muster.standalone.bench;

import dev.muster.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * How much was written, as it lies on disk (compressed).
 *
 * @param journalEntries offsets of topic journal, transaction markers included
 * @param journalBytes bytes of topic journal
 * @param changelogBytes bytes of all changelogs
 * @param inputBytes bytes of all topics the scheduler reads
 */
record TopicSizes(long journalEntries, long journalBytes, long changelogBytes, long inputBytes) {
    private static final int BROKER = 1;

    static TopicSizes of(Admin admin, Topics topics, String applicationId) throws InterruptedException {
        try {
            TreeMap<String, Long> bytes = new TreeMap<>();
            admin.describeLogDirs(List.of(BROKER))
                    .allDescriptions()
                    .get()
                    .values()
                    .forEach(dirs -> dirs.values()
                            .forEach(dir -> dir.replicaInfos()
                                    .forEach((partition, info) ->
                                            bytes.merge(partition.topic(), info.size(), Long::sum))));
            TopicPartition journal = new TopicPartition(topics.journal(), 0);
            long entries = admin.listOffsets(Map.of(journal, OffsetSpec.latest()))
                    .partitionResult(journal)
                    .get()
                    .offset();
            long changelogs = bytes.entrySet().stream()
                    .filter(topic -> topic.getKey().startsWith(applicationId))
                    .mapToLong(topic -> topic.getValue())
                    .sum();
            long inputs = List.of(
                            topics.nodes(), topics.pods(), topics.workloads(), topics.submissions(), topics.outcomes())
                    .stream()
                    .mapToLong(topic -> bytes.getOrDefault(topic, 0L))
                    .sum();
            return new TopicSizes(entries, bytes.getOrDefault(topics.journal(), 0L), changelogs, inputs);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not say how large its topics are", e.getCause());
        }
    }
}
