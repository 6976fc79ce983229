package dev.muster.ingest.watch;

import java.time.Duration;

/** A list or watch that failed, by what is to be done about it. */
public final class SourceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is to be done about it. */
    public enum Kind {
        /** 410: the resource version is too old; a new list is needed. */
        GONE,
        /** 404: the server does not have the kind (its CRD is not installed). */
        MISSING,
        /** 401 or 403: not allowed to see the kind. */
        DENIED,
        /** 429: the server asks for patience. */
        BUSY,
        /** Everything else: 5xx, disconnects, timeouts, an answer that cannot be read. */
        UNAVAILABLE
    }

    private final Kind kind;
    private final transient Duration retryAfter;

    /** A failure; {@code retryAfter} is what the server asked for, zero where it asked for nothing. */
    public SourceException(Kind kind, String message, Duration retryAfter, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** A failure that the server gave no time for. */
    public SourceException(Kind kind, String message) {
        this(kind, message, Duration.ZERO, null);
    }

    /** What is to be done about it. */
    public Kind kind() {
        return kind;
    }

    /** How long the server asked to wait; zero where it asked for nothing. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
