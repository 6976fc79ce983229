package dev.muster.schemas.topic;

import java.util.List;

/** Topics exist, but not as they should be. Nothing was changed; the message and {@link #differences()} name all of them. */
public final class TopicMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> differences;

    TopicMismatchException(List<String> differences) {
        super(String.join("; ", differences));
        this.differences = List.copyOf(differences);
    }

    /** One line per difference: topic, what it has, what was expected. */
    public List<String> differences() {
        return differences;
    }
}
