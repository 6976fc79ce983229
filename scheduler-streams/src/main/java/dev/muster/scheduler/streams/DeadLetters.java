package dev.muster.scheduler.streams;

import dev.muster.schemas.decision.DeadLetter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** What is said about a record that is not taken. Its bytes stay in their own topic: size and hash are enough to find it. */
final class DeadLetters {
    private static final String BY = "scheduler";

    private DeadLetters() {}

    static DeadLetter of(RecordMetadata from, byte[] value, Refusal refusal, long nowMillis) {
        return new DeadLetter(
                BY,
                from.topic(),
                from.partition(),
                from.offset(),
                refusal.reason(),
                refusal.line(),
                value.length,
                sha256(value),
                nowMillis);
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
