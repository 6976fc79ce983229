package dev.muster.standalone.replay;

/** A journal that cannot be replayed: which offset, and what is wrong there, in one line. */
public final class JournalUnusableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JournalUnusableException(String message) {
        super(message);
    }
}
