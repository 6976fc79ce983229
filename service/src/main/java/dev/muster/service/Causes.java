package dev.muster.service;

/** What an exception has to say to an operator. */
final class Causes {
    private Causes() {}

    /** The innermost cause's message on one line, or its name where it says nothing. */
    static String innermost(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
