package dev.muster.schemas.serde;

import org.apache.kafka.common.errors.SerializationException;

/** A record's value cannot be decoded, and never will be: the record is at fault. {@link #reason()} is the code that goes into a dead letter. */
public final class UndecodableException extends SerializationException {
    /** The bytes are not what their schema says, or not in the wire format, or the schema cannot be read with ours. */
    public static final String UNDECODABLE = "Undecodable";

    /** The record names a schema that the registry does not have. */
    public static final String UNKNOWN_SCHEMA = "UnknownSchema";

    /** The value is larger, or has more items, than is decoded. */
    public static final String TOO_LARGE = "TooLarge";

    private static final long serialVersionUID = 1L;

    private final String reason;

    UndecodableException(String reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Stable code: one of {@link #UNDECODABLE}, {@link #UNKNOWN_SCHEMA}, {@link #TOO_LARGE}. */
    public String reason() {
        return reason;
    }
}
