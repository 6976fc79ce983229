package dev.muster.scheduler.core.decision;

/** Stable codes of reasons; docs/reasons.md says what each means and what helps. */
public final class ReasonCodes {
    /** Pods name a gang object that does not exist. */
    public static final String GROUP_MISSING = "GroupMissing";

    /** Fewer pods exist than must run together. */
    public static final String PODS_MISSING = "PodsMissing";

    /** The member cluster has not been listed whole yet. */
    public static final String CLUSTER_NOT_SYNCED = "ClusterNotSynced";

    /** The queue takes no new work. */
    public static final String QUEUE_CLOSED = "QueueClosed";

    /** Nodes could hold the gang, but not with what is placed now. */
    public static final String NOT_ENOUGH_ROOM = "NotEnoughRoom";

    /** Pods are being evicted for it; their room is kept for it. */
    public static final String AWAITING_EVICTIONS = "AwaitingEvictions";

    /** It runs on, or ran on, GPUs or nodes that were lost: its slots are held until it is whole again, for a while. */
    public static final String MEMBERS_LOST = "MembersLost";

    /** An eviction that would have made room for it was refused; it is tried again. */
    public static final String EVICTION_REFUSED = "EvictionRefused";

    /** Not even empty nodes could hold the gang. */
    public static final String EXCEEDS_CLUSTER = "ExceedsCluster";

    /** No one domain of the topology has room for the pods that must be together in one. */
    public static final String NO_TOPOLOGY_DOMAIN = "NoTopologyDomain";

    /** The cluster has no topology with the level that is asked for. */
    public static final String UNKNOWN_TOPOLOGY_LEVEL = "UnknownTopologyLevel";

    /** A gang that starts only together with others waits for one of these. */
    public static final String GANG_GROUP_INCOMPLETE = "GangGroupIncomplete";

    /** More pods must start together than one decision can name. */
    public static final String GANG_TOO_LARGE = "GangTooLarge";

    /** A placement could not be bound in time or met a conflict; it is tried again. */
    public static final String BIND_FAILED = "BindFailed";

    /** The API server refuses to bind a pod; it is tried again, ever more rarely. */
    public static final String BIND_REFUSED = "BindRefused";

    /** The queue has quota for the workload, but not beside what it uses now. */
    public static final String WAITING_FOR_QUOTA = "WaitingForQuota";

    /** The queue would not have the quota even if nothing were used. */
    public static final String EXCEEDS_MAX_QUOTA = "ExceedsMaxQuota";

    /** The queue has no flavor that the pods may have. */
    public static final String NO_MATCHING_FLAVOR = "NoMatchingFlavor";

    /** A queue, cohort or flavor that is named does not exist, or contains itself. */
    public static final String MISCONFIGURED = "Misconfigured";

    /** The queue's stopPolicy lets nothing start. */
    public static final String ON_HOLD = "OnHold";

    /** Its tenant suspended it. */
    public static final String SUSPENDED = "Suspended";

    /** The queue does not admit from the workload's namespace. */
    public static final String NAMESPACE_NOT_ADMITTED = "NamespaceNotAdmitted";

    /** The queue is strict, and somebody waits in front. */
    public static final String BEHIND_IN_QUEUE = "BehindInQueue";

    private ReasonCodes() {}
}
