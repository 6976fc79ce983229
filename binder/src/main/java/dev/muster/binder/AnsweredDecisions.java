package dev.muster.binder;

import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.serde.UndecodableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which decisions already have an outcome. Offsets are committed up to the lowest unfinished decision only, so a
 * start finds finished ones behind it. Doing a placement again is safe while its pods live; a day later, when some
 * have ended and are deleted, it would look half bound and its last pods would be evicted. What was answered is
 * therefore never done again.
 */
final class AnsweredDecisions {

    private static final Logger LOG = LoggerFactory.getLogger(AnsweredDecisions.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** How far the scheduler's clock may be ahead of the binder's. */
    private static final long SKEW_MILLIS = Duration.ofMinutes(10).toMillis();

    private AnsweredDecisions() {}

    /** Ids of the cluster's decisions with an outcome that was written at {@code sinceMillis} or later. */
    static Set<String> since(
            long sinceMillis,
            Consumer<String, byte[]> consumer,
            TopicPartition outcomes,
            Deserializer<Outcome> deserializer,
            String cluster) {
        consumer.assign(List.of(outcomes));
        long from = Math.max(0, sinceMillis - SKEW_MILLIS);
        var start = consumer.offsetsForTimes(Map.of(outcomes, from)).get(outcomes);
        if (start == null) {
            return Set.of();
        }
        long end = consumer.endOffsets(List.of(outcomes)).get(outcomes);
        consumer.seek(outcomes, start.offset());
        Set<String> answered = new HashSet<>();
        while (consumer.position(outcomes) < end) {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                try {
                    Outcome outcome = deserializer.deserialize(record.topic(), record.value());
                    if (outcome != null && outcome.getCluster().equals(cluster)) {
                        answered.add(outcome.getDecisionId());
                    }
                } catch (UndecodableException e) {
                    LOG.warn("{}@{} is no outcome: {}", outcomes, record.offset(), e.getMessage());
                }
            }
        }
        return answered;
    }
}
