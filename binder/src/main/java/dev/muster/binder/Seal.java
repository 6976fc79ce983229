package dev.muster.binder;

import dev.muster.binder.Progress.Failed;

/**
 * How a placement that makes pods ended, said once and for all (see {@link Seals}).
 *
 * @param bound its members were bound; those that are missing were there, and are not made again. Otherwise it is taken
 *     back: none of its members may stay
 * @param because why it is taken back; for who comes later to one that was bound, that it is too late
 */
record Seal(boolean bound, Failure because) {

    static final Seal BOUND = new Seal(true, Failure.FENCED);

    private static final String BOUND_MARK = "bound";
    private static final String TAKEN_BACK_MARK = "taken-back";

    static Seal takenBack(Failure because) {
        return new Seal(false, because);
    }

    /** Reads a label and an annotation; total, whatever is written there. */
    static Seal ofMarks(String mark, String because) {
        return mark.equals(BOUND_MARK) ? BOUND : takenBack(Failure.ofMark(because));
    }

    /** As a label says it. */
    String mark() {
        return bound ? BOUND_MARK : TAKEN_BACK_MARK;
    }

    /** What becomes of members that are not bound yet. */
    Failed tooLate() {
        return new Failed(because, "the placement was ended before, as " + mark());
    }
}
