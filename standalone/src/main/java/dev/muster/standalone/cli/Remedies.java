package dev.muster.standalone.cli;

import dev.muster.scheduler.core.decision.ReasonCodes;
import java.util.Optional;

/** What helps a workload that waits, by the code of its reason; docs/reasons.md says more. */
final class Remedies {
    private Remedies() {}

    /** Empty for a code that this version does not know. */
    static Optional<String> of(String reasonCode) {
        return Optional.ofNullable(
                switch (reasonCode) {
                    case ReasonCodes.GROUP_MISSING -> "create the group, or mend the pods' annotation or label";
                    case ReasonCodes.PODS_MISSING -> "the missing pods, lifted scheduling gates, or a lower minimum";
                    case ReasonCodes.CLUSTER_NOT_SYNCED ->
                        "usually a few seconds; else a running ingest of that cluster";
                    case ReasonCodes.QUEUE_CLOSED -> "open the queue, or use another";
                    case ReasonCodes.NOT_ENOUGH_ROOM -> "waiting for room, or fewer or smaller pods";
                    case ReasonCodes.EXCEEDS_CLUSTER ->
                        "fewer or smaller pods, other labels or tolerations, or more nodes; waiting does not";
                    case ReasonCodes.NO_TOPOLOGY_DOMAIN ->
                        "waiting for room in one domain, fewer pods, or a wider or only preferred level";
                    case ReasonCodes.UNKNOWN_TOPOLOGY_LEVEL ->
                        "another level, or a Topology that has it and nodes with its labels";
                    case ReasonCodes.GANG_GROUP_INCOMPLETE ->
                        "look at the gang that is named; every PodGroup of the group must list the same ones";
                    case ReasonCodes.GANG_TOO_LARGE -> "a smaller minimum, or several gangs";
                    case ReasonCodes.AWAITING_EVICTIONS -> "nothing: it starts when they have left";
                    case ReasonCodes.MEMBERS_LOST ->
                        "nothing where its controller makes the lost pods anew; else make them";
                    case ReasonCodes.EVICTION_REFUSED ->
                        "usually nothing: others are looked for; else the disruption budget";
                    case ReasonCodes.BIND_FAILED -> "usually nothing: it is tried again";
                    case ReasonCodes.BIND_REFUSED -> "mend the pod template, or what refuses the pod";
                    case ReasonCodes.WAITING_FOR_QUOTA ->
                        "waiting until others of the queue or its cohort end, more quota, or fewer pods";
                    case ReasonCodes.EXCEEDS_MAX_QUOTA ->
                        "fewer or smaller pods, another queue, or more quota; waiting does not";
                    case ReasonCodes.NO_MATCHING_FLAVOR ->
                        "tolerations or labels of one of the queue's flavors, or a flavor that covers the resource";
                    case ReasonCodes.MISCONFIGURED -> "the object that is missing, or another queue";
                    case ReasonCodes.SUSPENDED -> "muster resume: it queues anew then";
                    case ReasonCodes.ON_HOLD -> "stopPolicy None, or another queue";
                    case ReasonCodes.NAMESPACE_NOT_ADMITTED ->
                        "labels of the namespace that the queue selects, or another queue";
                    case ReasonCodes.BEHIND_IN_QUEUE ->
                        "the start or end of the one in front, a higher priority, or BestEffortFIFO";
                    default -> null;
                });
    }
}
