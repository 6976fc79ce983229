package dev.muster.binder;

/** The binder closes while a decision is under way: it has no outcome yet and is done again at the next start. */
final class AbandonedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AbandonedException() {
        super("binder closes", null, false, false);
    }
}
