package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.RegistryException;
import dev.muster.schemas.serde.RegistryUnavailableException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.TopologyException;

/** The one table that says what an exception means: what is refused, what is tried again, what stops a domain, what stops the process. */
final class FaultTable {
    private FaultTable() {}

    /** What is done about an exception. */
    enum Fault {
        /** The record is at fault: one refusal, and on with the next. */
        DEAD_LETTER,
        /** The transaction is given up and its input read again, by a new thread. */
        RETRY,
        /** The state machine broke a law, or its state or output cannot be written or read: this domain stops, the others go on. */
        HALT_DOMAIN,
        /** Nothing gets better by itself: the process says so and stops. */
        FATAL
    }

    /** While a record is decoded. */
    static Fault ofDecoding(Throwable problem) {
        return switch (problem) {
            case RegistryUnavailableException e -> Fault.RETRY;
            case RegistryException e -> Fault.FATAL;
            // A bomb: its memory is free again by now. Any other error of the JVM itself is nobody's record.
            case OutOfMemoryError e -> Fault.DEAD_LETTER;
            case StackOverflowError e -> Fault.DEAD_LETTER;
            case VirtualMachineError e -> Fault.FATAL;
            default -> Fault.DEAD_LETTER;
        };
    }

    /** While an entry is applied and its effects are written, or while the state is restored. */
    static Fault ofStep(Throwable problem) {
        return switch (problem) {
            case RegistryException e -> ofThread(e);
            // A row, entry or decision that cannot be encoded or decoded: trying again gives the same.
            case SerializationException e -> Fault.HALT_DOMAIN;
            case KafkaException e -> ofThread(e);
            case StackOverflowError e -> Fault.HALT_DOMAIN;
            case VirtualMachineError e -> Fault.FATAL;
            default -> Fault.HALT_DOMAIN;
        };
    }

    /** Whether a thread died because another process runs under the id of this instance. */
    static boolean tookOver(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof FencedInstanceIdException) {
                return true;
            }
        }
        return false;
    }

    /** When a thread of Kafka Streams dies. */
    static Fault ofThread(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            switch (cause) {
                // Thrown once, by the step that broke; the domain is paused from then on.
                case DomainHaltedException e -> {
                    return Fault.RETRY;
                }
                case RegistryUnavailableException e -> {
                    return Fault.RETRY;
                }
                case RegistryException e -> {
                    return Fault.FATAL;
                }
                case AuthenticationException e -> {
                    return Fault.FATAL;
                }
                case AuthorizationException e -> {
                    return Fault.FATAL;
                }
                // The position is gone: truncated, expired or reset. Neither skipping nor starting over is right.
                case InvalidOffsetException e -> {
                    return Fault.FATAL;
                }
                // Another process runs under this group.instance.id: to start again would throw that one out, and so
                // on.
                case FencedInstanceIdException e -> {
                    return Fault.FATAL;
                }
                case UnsupportedVersionException e -> {
                    return Fault.FATAL;
                }
                case ConfigException e -> {
                    return Fault.FATAL;
                }
                case MissingSourceTopicException e -> {
                    return Fault.FATAL;
                }
                case TopologyException e -> {
                    return Fault.FATAL;
                }
                case Error e -> {
                    return Fault.FATAL;
                }
                default -> {
                    // Look at what caused it.
                }
            }
        }
        // Timeouts, fenced producers, lost partitions, leaders that move: the next transaction may succeed.
        return Fault.RETRY;
    }
}
