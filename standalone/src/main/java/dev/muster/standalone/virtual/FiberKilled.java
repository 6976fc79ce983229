package dev.muster.standalone.virtual;

/**
 * Ends a fiber whose group was killed. An error, because no production code may catch it and go on: a process that is
 * killed does nothing any more.
 */
public final class FiberKilled extends Error {

    private static final long serialVersionUID = 1L;

    FiberKilled(String fiber) {
        super(fiber + " was killed", null, false, false);
    }
}
