package dev.muster.binder;

/** How far a member of a placement has come. */
sealed interface Progress {

    /** May be bound. */
    record Ready(PodState pod) implements Progress {}

    /** Bound as decided. */
    record Bound(PodState pod) implements Progress {}

    /**
     * Can't be bound by this decision.
     *
     * @param why what stands in the way
     * @param message the same for a person, with the API server's words where it had any
     */
    record Failed(Failure why, String message) implements Progress {}
}
