package dev.muster.scheduler.streams;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * What must hold before the first record is read.
 *
 * <p>Trusted topics are read with {@code auto.offset.reset=none}: a position that is gone (truncated, expired, topic made
 * anew) stops the scheduler rather than skip input or read it twice in silence. A fresh application has no position
 * either, so its positions are written down here, once, before it starts: the beginning of each partition. Fresh means that
 * the domain's journal never held a record; a domain that has a journal but lost a position is refused, because
 * nobody here can know what it has read.
 */
final class Preflight {
    private static final String TRANSACTION_VERSION = "transaction.version";

    /** Below it, a delayed end of a transaction can end the next one (KIP-890): decisions lost, torn, or seen though aborted. */
    private static final short NEEDED_TRANSACTION_VERSION = 2;

    private final Admin admin;
    private final Duration timeout;

    Preflight(Admin admin, Duration timeout) {
        this.admin = admin;
        this.timeout = timeout;
    }

    /** @throws StartRefusedException when the brokers' finalized transaction.version is too low */
    void requireTransactionVersion() {
        FinalizedVersionRange version = get(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(TRANSACTION_VERSION);
        short level = version == null ? 0 : version.maxVersionLevel();
        if (level < NEEDED_TRANSACTION_VERSION) {
            throw new StartRefusedException(
                    "the Kafka cluster's finalized " + TRANSACTION_VERSION + " is " + level + ", "
                            + NEEDED_TRANSACTION_VERSION
                            + " is needed: without it, transactions that are delayed can end later ones",
                    null);
        }
    }

    /** Ids of the topics that the state depends on, by name. */
    Map<String, String> topicIds(Topics topics) {
        List<String> names = new ArrayList<>(Inputs.namesOf(topics));
        names.add(topics.journal());
        Map<String, String> ids = new TreeMap<>();
        get(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** @throws StartRefusedException when a domain that has a journal has no position on an input topic */
    void ensureStartingOffsets(String group, Topics topics, Domains domains) {
        Set<TopicPartition> missing = new TreeSet<>(java.util.Comparator.comparing(TopicPartition::toString));
        for (String topic : Inputs.namesOf(topics)) {
            for (int partition = 0; partition < domains.count(); partition++) {
                missing.add(new TopicPartition(topic, partition));
            }
        }
        get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        missing.remove(partition);
                    }
                });
        if (missing.isEmpty()) {
            return;
        }
        requireNoJournal(group, topics, domains, missing);
        Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
        offsets(missing, OffsetSpec.earliest())
                .forEach((partition, found) -> beginnings.put(partition, new OffsetAndMetadata(found.offset())));
        get(admin.alterConsumerGroupOffsets(group, beginnings).all());
    }

    private void requireNoJournal(String group, Topics topics, Domains domains, Set<TopicPartition> missing) {
        Map<Integer, TopicPartition> journals = new TreeMap<>();
        missing.forEach(partition -> journals.computeIfAbsent(
                partition.partition(), number -> new TopicPartition(topics.journal(), number)));
        var ends = offsets(Set.copyOf(journals.values()), OffsetSpec.latest());
        Predicate<TopicPartition> started =
                partition -> ends.get(journals.get(partition.partition())).offset() > 0;
        missing.stream().filter(started).findFirst().ifPresent(partition -> {
            throw new StartRefusedException(
                    "consumer group " + group + " has no position on " + partition + ", although domain "
                            + domains.names().get(partition.partition())
                            + " has a journal: set the group's offsets to where it stopped",
                    null);
        });
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(Set<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, spec));
        return get(admin.listOffsets(wanted).all());
    }

    private <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new StartRefusedException(
                    "the Kafka cluster refuses: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new StartRefusedException(
                    "the Kafka cluster does not answer within " + timeout.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
