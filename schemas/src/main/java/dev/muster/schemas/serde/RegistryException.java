package dev.muster.schemas.serde;

import org.apache.kafka.common.KafkaException;

/** A schema registry said no, or nothing at all. No record is at fault. Kept apart by subclass; as it is: refused, retrying does not help. */
public class RegistryException extends KafkaException {
    private static final long serialVersionUID = 1L;

    RegistryException(String message, Throwable cause) {
        super(message, cause);
    }
}
