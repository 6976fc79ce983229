package dev.muster.scheduler.core.decision;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.List;

/** What a decision asks the binder to do. */
public sealed interface Action {
    /** Member cluster it is to be done in. */
    String cluster();

    /** Namespace of the pods. */
    String namespace();

    /**
     * Bind these pods.
     *
     * @param gang all or none; false for surplus members, each of which stands alone
     * @param create the binder creates the pods first
     * @param nodes by name, members by pod set and index
     * @param deadlineMillis latest time the gang may be half bound, epoch milliseconds
     */
    record PlaceGang(
            String cluster,
            String namespace,
            boolean gang,
            boolean create,
            List<PlacedPodSet> podSets,
            List<NodePlacement> nodes,
            long deadlineMillis)
            implements Action {
        public PlaceGang {
            podSets = List.copyOf(podSets);
            nodes = List.copyOf(nodes);
        }
    }

    /** Make sure these members of an earlier placement can no longer be bound by it. */
    record Revoke(
            String cluster, String namespace, DecisionId revoked, RevokeReason reason, List<MemberPlacement> members)
            implements Action {
        public Revoke {
            members = namesOnly(members);
        }
    }

    /** Delete the pods of a job that came as an event. */
    record DeletePods(String cluster, String namespace, List<MemberPlacement> members, String reason)
            implements Action {
        public DeletePods {
            members = namesOnly(members);
        }
    }

    /**
     * Evict these pods, so that a workload finds room: gangs whole, or members above their minimum. Or all of a workload, since its
     * queue is to be emptied, or those of its pods that lost what they run on: then the decision is about the workload itself.
     *
     * @param namespace of the workload that the room is for, or that goes
     * @param victims those that a disruption budget covers come first
     * @param reason why, a stable code
     * @param deadlineMillis latest time an eviction may be asked for, epoch milliseconds
     */
    record Evict(String cluster, String namespace, List<Victim> victims, String reason, long deadlineMillis)
            implements Action {
        /** The victims' priority is lower. */
        public static final String LOWER_PRIORITY = "LowerPriority";

        /** All are of the workload's own ClusterQueue, which lets it preempt there (Kueue's word). */
        public static final String CLUSTER_QUEUE = "InClusterQueue";

        /** Queues of its cohort borrow what is its own queue's (Kueue's word). */
        public static final String COHORT = "InCohortReclamation";

        /** Queues of its cohort borrow with lower priority what it borrows with a higher one (Kueue's word). */
        public static final String COHORT_WHILE_BORROWING = "InCohortReclaimWhileBorrowing";

        /** The workload's own pods go, since its ClusterQueue is to be emptied (Kueue's word). */
        public static final String CLUSTER_QUEUE_STOPPED = "ClusterQueueStopped";

        /** The same for its LocalQueue (Kueue's word). */
        public static final String LOCAL_QUEUE_STOPPED = "LocalQueueStopped";

        /** Queues of its cohort have a larger share of what they borrow (Kueue's word). */
        public static final String COHORT_FAIR_SHARING = "InCohortFairSharing";

        /** Queues use more than they deserve, and its own less (Volcano's word for it). */
        public static final String RECLAIMED = "Reclaimed";

        /** A fatal signal is on for what they run on; of the workload itself, as are the other two. */
        public static final String FATAL_HEALTH = "FatalHealth";

        /** Their node is not ready for too long. */
        public static final String NODE_LOST = "NodeLost";

        /** The gang was not whole again by the deadline for which its slots were held. */
        public static final String SLOTS_EXPIRED = "SlotsExpired";

        public Evict {
            victims = List.copyOf(victims);
        }
    }

    /**
     * A pod that is to go.
     *
     * @param workload what it is part of
     * @param whole all of that workload goes; otherwise its minimum stays, but where it lost what it runs on
     * @param budget the disruption budget that covers it; empty where none does
     */
    record Victim(
            WorkloadId workload,
            boolean whole,
            String namespace,
            String name,
            String uid,
            String node,
            String budget) {}

    /** What is taken back says nothing of NUMA nodes and claims: nobody looks at them any more. */
    private static List<MemberPlacement> namesOnly(List<MemberPlacement> members) {
        return members.stream()
                .map(member -> new MemberPlacement(
                        member.podSet(), member.index(), member.name(), member.uid(), member.devices()))
                .toList();
    }

    /**
     * A pod set of a placement.
     *
     * @param name may be empty
     * @param templateHash the template to create pods from; empty when they exist
     * @param nodeLabels of the flavors of pods to be created: added to their node selector
     * @param tolerations of those flavors: added to theirs
     */
    record PlacedPodSet(String name, String templateHash, List<Label> nodeLabels, List<Toleration> tolerations) {
        public PlacedPodSet {
            nodeLabels = List.copyOf(nodeLabels);
            tolerations = List.copyOf(tolerations);
        }

        /** One whose pods exist, or have no flavors. */
        public PlacedPodSet(String name, String templateHash) {
            this(name, templateHash, List.of(), List.of());
        }
    }

    /** Members that go to one node; a node replaced under the same name (other uid) voids the placement. */
    record NodePlacement(String node, String nodeUid, List<MemberPlacement> members) {
        public NodePlacement {
            members = List.copyOf(members);
        }
    }

    /**
     * One pod: pod set, index in it, name, uid (empty when it has to be created), GPU devices (rising), what it gets from
     * NUMA nodes, what those of its claims get that have to be bound before it is.
     */
    record MemberPlacement(
            int podSet,
            int index,
            String name,
            String uid,
            List<Integer> devices,
            NumaPlacement numa,
            List<ClaimPlacement> claims) {
        public MemberPlacement {
            devices = List.copyOf(devices);
            claims = List.copyOf(claims);
        }

        /** A pod of which nothing is said to come from NUMA nodes, and whose claims need nothing. */
        public MemberPlacement(int podSet, int index, String name, String uid, List<Integer> devices) {
            this(podSet, index, name, uid, devices, NumaPlacement.NONE, List.of());
        }
    }

    /** Why a placement is taken back. */
    enum RevokeReason {
        /** Not carried out in time. */
        DEADLINE,
        /** Its workload was cancelled or deleted. */
        CANCELLED,
        /** Its workload was suspended. */
        SUSPENDED
    }
}
