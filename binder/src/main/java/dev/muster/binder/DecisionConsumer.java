package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UndecodableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the decisions of one domain, hands on those of its cluster, and commits an offset only when everything before
 * it has an outcome that is safe. At most so many decisions are under way, those that wait for volumes aside; above that it
 * stops reading. Not thread-safe: one thread turns it.
 */
final class DecisionConsumer {

    /**
     * What to read and what of it to keep.
     *
     * @param partition the domain's partition of the decisions topic
     * @param domain the domain
     * @param cluster the member cluster
     * @param maxInFlight decisions under way at once
     */
    record Source(TopicPartition partition, String domain, String cluster, int maxInFlight) {}

    private static final Logger LOG = LoggerFactory.getLogger(DecisionConsumer.class);
    private static final Duration WAIT = Duration.ofMillis(100);
    private static final Duration WAIT_WHEN_FULL = Duration.ofMillis(5);
    private static final int MOST_WAITING = 10_000;
    private static final Duration LAST_COMMIT = Duration.ofSeconds(5);

    private final Consumer<String, byte[]> consumer;
    private final Source source;
    private final Deserializer<Decision> deserializer;
    private final DecisionLanes lanes;
    private final ClaimWaits waits;
    private final OutcomePublisher publisher;
    private final Deque<ConsumerRecord<String, byte[]>> backlog = new ArrayDeque<>();
    private final OffsetLedger ledger = new OffsetLedger();
    private final Halt halt = new Halt();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private Set<String> answered = Set.of();
    private long committed = -1;

    DecisionConsumer(
            Consumer<String, byte[]> consumer,
            Source source,
            Deserializer<Decision> deserializer,
            DecisionLanes lanes,
            ClaimWaits waits,
            OutcomePublisher publisher) {
        this.consumer = consumer;
        this.source = source;
        this.deserializer = deserializer;
        this.lanes = lanes;
        this.waits = waits;
        this.publisher = publisher;
    }

    /**
     * Goes to the lowest decision without a committed outcome.
     *
     * @return time of the first record that waits there, epoch milliseconds; empty when none does
     */
    OptionalLong start() {
        TopicPartition partition = source.partition();
        consumer.assign(List.of(partition));
        OffsetAndMetadata last = consumer.committed(Set.of(partition)).get(partition);
        if (last == null) {
            consumer.seekToBeginning(List.of(partition));
        } else {
            consumer.seek(partition, last.offset());
            committed = last.offset();
        }
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        while (backlog.isEmpty() && consumer.position(partition) < end) {
            consumer.poll(WAIT).forEach(backlog::add);
        }
        return backlog.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(backlog.peek().timestamp());
    }

    /** Decisions that have an outcome already, and are not to be done again. */
    void skip(Set<String> answeredDecisions) {
        answered = answeredDecisions;
    }

    /**
     * Once round: read, hand on, commit.
     *
     * @throws IllegalStateException when the binder can't go on
     */
    void turn() {
        if (failure.get() != null) {
            throw new IllegalStateException("a decision can't be carried out", failure.get());
        }
        consumer.poll(backlog.isEmpty() ? WAIT : WAIT_WHEN_FULL).forEach(backlog::add);
        while (!backlog.isEmpty() && working() < source.maxInFlight() && take(backlog.peek())) {
            backlog.remove();
        }
        if (backlog.isEmpty()) {
            consumer.resume(consumer.paused());
        } else {
            consumer.pause(consumer.assignment());
        }
        commit(false);
    }

    /** Whether no decision was left to read when it last came round. */
    boolean readToTheEnd() {
        return backlog.isEmpty() && consumer.currentLag(source.partition()).orElse(1) == 0;
    }

    /** Decisions under way, without those that only wait for volumes; of these, too, there may be no more than can be kept. */
    private int working() {
        return ledger.inFlight() - Math.min(waits.decisions(), MOST_WAITING);
    }

    int inFlight() {
        return ledger.inFlight();
    }

    /** Commits what is done and leaves. The rest is done again by the next one. */
    void close() {
        halt.close();
        try {
            commit(true);
        } finally {
            consumer.close();
        }
    }

    /** False when it has to wait. */
    private boolean take(ConsumerRecord<String, byte[]> record) {
        try {
            Decision decision = deserializer.deserialize(record.topic(), record.value());
            ledger.begin(record.offset());
            if (decision == null || isAnswered(decision)) {
                ledger.finish(record.offset());
            } else if (!decision.getDomain().equals(source.domain())) {
                refuse(record, "WrongDomain", "domain " + decision.getDomain() + ", expected " + source.domain());
            } else if (DecisionCarrier.clusterOf(decision).equals(source.cluster())) {
                lanes.submit(decision).whenComplete((done, problem) -> ended(record.offset(), problem));
            } else {
                ledger.finish(record.offset());
            }
            return true;
        } catch (RegistryUnavailableException e) {
            LOG.warn("{}@{} waits for the schema registry: {}", source.partition(), record.offset(), e.getMessage());
            return false;
        } catch (UndecodableException e) {
            ledger.begin(record.offset());
            refuse(record, e.reason(), e.getMessage());
            return true;
        }
    }

    private boolean isAnswered(Decision decision) {
        return answered.contains(decision.getId());
    }

    private void refuse(ConsumerRecord<String, byte[]> record, String reason, String message) {
        publisher.refuse(record, reason, message, halt);
        ledger.finish(record.offset());
    }

    private void ended(long offset, Throwable problem) {
        Throwable cause = problem instanceof CompletionException ? problem.getCause() : problem;
        if (cause == null) {
            ledger.finish(offset);
        } else if (!(cause instanceof AbandonedException)) {
            failure.compareAndSet(null, cause);
        }
    }

    private void commit(boolean wait) {
        long next = ledger.committable();
        if (next <= committed) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(source.partition(), new OffsetAndMetadata(next));
        if (wait) {
            consumer.commitSync(offsets, LAST_COMMIT);
        } else {
            // A commit that gets lost is made up for by the next one; at worst decisions are done again.
            consumer.commitAsync(offsets, (ignored, problem) -> {
                if (problem != null) {
                    LOG.warn("offset {} is not committed yet: {}", next, problem.toString());
                }
            });
        }
        committed = next;
    }
}
