package dev.muster.scheduler.streams;

/** The scheduler does not start on this Kafka cluster; the message is one line for the person who started it. */
public final class StartRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
