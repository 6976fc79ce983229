package dev.muster.scheduler.streams;

/**
 * Why a record is not taken.
 *
 * @param reason stable code, as in dead letters
 * @param field path of the field at fault, such as {@code spec.requirement.requests[2].amount}; empty where none is
 * @param message what it is and what was expected, one line
 */
public record Refusal(String reason, String field, String message) {
    /** The record decodes, but says something impossible. */
    public static final String INVALID = "Invalid";

    /** The record is about another domain than the partition it lies in. */
    public static final String WRONG_DOMAIN = "WrongDomain";

    /** The bytes are not a record of the topic's type. */
    public static final String UNDECODABLE = "Undecodable";

    /** Field and message in one line. */
    public String line() {
        return field.isEmpty() ? message : field + " " + message;
    }
}
