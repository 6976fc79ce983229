package dev.muster.binder;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Outcome;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes outcomes and dead letters, and returns only when the broker has them safe. */
final class OutcomePublisher {

    /**
     * Where to write.
     *
     * @param outcomes topic of outcomes
     * @param deadLetters topic of dead letters
     * @param domain the domain, key of outcomes
     * @param partition the domain's partition
     */
    record Target(String outcomes, String deadLetters, String domain, int partition) {}

    private static final Logger LOG = LoggerFactory.getLogger(OutcomePublisher.class);
    private static final long LOOK_AROUND_MILLIS = 100;

    private final Producer<String, byte[]> producer;
    private final Serializer<Outcome> outcomes;
    private final Serializer<DeadLetter> deadLetters;
    private final Target target;
    private final BinderClock clock;

    OutcomePublisher(
            Producer<String, byte[]> producer,
            Serializer<Outcome> outcomes,
            Serializer<DeadLetter> deadLetters,
            Target target,
            BinderClock clock) {
        this.producer = producer;
        this.outcomes = outcomes;
        this.deadLetters = deadLetters;
        this.target = target;
        this.clock = clock;
    }

    /** Publishes an outcome, however long the broker needs. */
    void publish(Outcome outcome, Halt halt) {
        byte[] value = outcomes.serialize(target.outcomes(), outcome);
        sendUntilSafe(
                new ProducerRecord<>(target.outcomes(), target.partition(), target.domain(), value),
                "outcome of decision " + outcome.getDecisionId(),
                halt);
    }

    /** Says that a record can't be used; its bytes stay where they are. */
    void refuse(ConsumerRecord<String, byte[]> record, String reason, String message, Halt halt) {
        String place = record.topic() + "-" + record.partition() + "@" + record.offset();
        LOG.warn("dead letter: {} {}: {}", place, reason, message);
        DeadLetter letter = new DeadLetter(
                "binder",
                record.topic(),
                record.partition(),
                record.offset(),
                reason,
                place + ": " + message,
                record.value() == null ? 0 : record.value().length,
                sha256(record.value()),
                clock.epochMillis());
        byte[] value = deadLetters.serialize(target.deadLetters(), letter);
        sendUntilSafe(
                new ProducerRecord<>(target.deadLetters(), target.partition(), record.topic(), value),
                "dead letter of " + place,
                halt);
    }

    private void sendUntilSafe(ProducerRecord<String, byte[]> record, String what, Halt halt) {
        while (true) {
            try {
                await(producer.send(record), halt);
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw new IllegalStateException(what + " can't be written", e.getCause());
                }
                LOG.warn(
                        "{} is not written yet, trying on: {}",
                        what,
                        e.getCause().toString());
            } catch (RetriableException e) {
                LOG.warn("{} is not written yet, trying on: {}", what, e.toString());
            }
        }
    }

    private static void await(Future<?> sent, Halt halt) throws ExecutionException {
        while (true) {
            halt.checkOpen();
            try {
                sent.get(LOOK_AROUND_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                // Looks whether the binder closes, and waits on.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbandonedException();
            }
        }
    }

    private static String sha256(byte[] value) {
        try {
            byte[] bytes = value == null ? new byte[0] : value;
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
