package dev.muster.binder;

/** The API server refused a call, or its answer never came. */
final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Stands for a status code where there was no answer. */
    static final int NO_ANSWER = 0;

    private final int code;
    private final String reason;
    private final long retryAfterMillis;

    /**
     * What the API server said.
     *
     * @param code HTTP status, or {@link #NO_ANSWER}
     * @param reason machine-readable reason of the Status object; empty where there is none
     * @param message its message
     * @param retryAfterMillis pause that the server asks for, in milliseconds; 0 where it asks for none
     */
    ApiException(int code, String reason, String message, long retryAfterMillis) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** No answer came: the call may or may not have taken effect. */
    ApiException(Throwable cause) {
        super("no answer: " + cause, cause);
        this.code = NO_ANSWER;
        this.reason = "";
        this.retryAfterMillis = 0;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }

    long retryAfterMillis() {
        return retryAfterMillis;
    }
}
