package dev.muster.service;

/** A service that must be there at the start is not. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With one line that says which, where, and what it said. */
    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
