package dev.muster.binder;

/** Why a member could not be bound. */
enum Failure {
    /** Bound by somebody else, or to another node. */
    CONFLICT("Conflict"),
    /** A later decision was already applied to the pod, or takes this one back. */
    FENCED("Conflict"),
    /** The API server or a webhook does not want it. */
    REFUSED("Refused"),
    /** The node does not exist, or another one has its name. */
    NODE_GONE("NodeGone"),
    /** The node's condition Ready is not True. */
    NODE_NOT_READY("NodeNotReady"),
    /** The pod does not exist, is being deleted or has ended. */
    POD_GONE("PodGone"),
    /** Another pod has its name. */
    POD_CHANGED("PodChanged"),
    /** Time was up. */
    DEADLINE("Deadline"),
    /** The API server could not be asked until time was up. */
    SERVER_ERROR("ServerError");

    private final String reason;

    Failure(String reason) {
        this.reason = reason;
    }

    /** Reads what an annotation carries; total, whatever is written there. */
    static Failure ofMark(String name) {
        for (Failure failure : values()) {
            if (failure.name().equals(name)) {
                return failure;
            }
        }
        return CONFLICT;
    }

    /** Reason code, as outcomes carry it. */
    String reason() {
        return reason;
    }
}
