package dev.muster.standalone.stack;

/** Kafka answers, but does not have a topic of Muster. */
public final class MissingTopicException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says which topic, or which partition of it, is missing where. */
    public MissingTopicException(String what, String bootstrapServers) {
        super("Kafka at " + bootstrapServers + " has no topic " + what);
    }
}
