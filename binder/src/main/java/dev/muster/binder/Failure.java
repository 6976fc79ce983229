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
    /** A claim does not exist, is being deleted or has lost its volume. */
    CLAIM_UNUSABLE("ClaimUnusable"),
    /** The volume that a claim was to get is another one's, or gone. */
    VOLUME_TAKEN("VolumeTaken"),
    /** A claim's volume is, or is being made, where the pod is not to be. */
    VOLUME_ELSEWHERE("VolumeElsewhere"),
    /** No volume could be made for a claim on the node. */
    PROVISIONING_FAILED("ProvisioningFailed"),
    /** A claim was not bound before time was up. */
    CLAIM_NOT_BOUND("ClaimNotBound"),
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
