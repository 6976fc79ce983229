package dev.muster.scheduler.streams;

/** A domain stops here: gives up the open transaction, so that nothing of the entry that broke is ever seen. */
final class DomainHaltedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DomainHaltedException(String message, Throwable cause) {
        super(message, cause);
    }
}
