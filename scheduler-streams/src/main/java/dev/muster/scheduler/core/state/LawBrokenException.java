package dev.muster.scheduler.core.state;

/** Something that can never be, is. The domain stops rather than decide on a state that is wrong. */
public final class LawBrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LawBrokenException(String message) {
        super(message);
    }
}
