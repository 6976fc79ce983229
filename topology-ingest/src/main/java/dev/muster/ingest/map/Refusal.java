package dev.muster.ingest.map;

/**
 * Why an object, or one field of it, was not taken: becomes a dead letter.
 *
 * @param reason reason code of the dead letter: {@link #INVALID} or {@link #TOO_LARGE}
 * @param field where in the object, such as {@code spec.containers[0].resources.requests[cpu]}
 * @param message what was found and what was expected, one line, without control characters
 */
public record Refusal(String reason, String field, String message) {

    /** The value is not what Kubernetes or Muster define. */
    public static final String INVALID = "Invalid";

    /** More or longer than Muster takes. */
    public static final String TOO_LARGE = "TooLarge";

    @Override
    public String toString() {
        return field + ": " + message;
    }
}
