package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.HealthEpisode;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One row of the domain's durable form. The rows of all tables together are the whole state: an engine restored from
 * them decides as one that was never stopped.
 */
public sealed interface Row {
    /** Where the row lives. */
    Table table();

    /** The row's key in its table. */
    String key();

    /** The tables, one state store each. */
    enum Table {
        DOMAIN,
        NODES,
        PODS,
        GROUPS,
        WORKLOADS,
        QUEUES,
        POLICIES,
        QUOTAS,
        HOLDS
    }

    /** A row that changed; the row is null when it was removed. */
    record Change(Table table, String key, Row row) {}

    /**
     * What the domain is as a whole; one row.
     *
     * @param nextSequence sequence of the next journal entry
     * @param timeMillis domain time
     * @param roomFreed room may have become free since the last round
     * @param syncs how far each kind of each member cluster is listed, sorted by cluster and kind
     * @param lookAgainMillis when a guard lets more be evicted than it did; 0 when none is to be waited for
     * @param evictions pods that were evicted for queues lately, sorted by queue
     */
    record Domain(
            long nextSequence,
            long timeMillis,
            String engineVersion,
            boolean roomFreed,
            List<Sync> syncs,
            long lookAgainMillis,
            List<Evictions> evictions)
            implements Row {
        /** Key of the only row. */
        public static final String KEY = "domain";

        public Domain {
            syncs = List.copyOf(syncs);
            evictions = List.copyOf(evictions);
        }

        @Override
        public Table table() {
            return Table.DOMAIN;
        }

        @Override
        public String key() {
            return KEY;
        }
    }

    /**
     * Pods that were evicted for a queue's workloads and still count, at a time.
     *
     * @param queue empty for the sum over all queues
     * @param spentMilli thousandths of pods
     * @param sinceMillis domain time at which it was so many
     */
    record Evictions(String queue, long spentMilli, long sinceMillis) {}

    /** How far a kind is listed: epoch of the latest list that began, and of the latest that ended (-1 before the first). */
    record Sync(String cluster, String kind, long beganEpoch, long endedEpoch) {}

    /**
     * A node and what hangs on its name.
     *
     * @param ordinal place in the capacity arrays; kept, since ties between equal nodes end in it
     * @param origin null while only health or NUMA reports are known
     * @param facts null while only health or NUMA reports are known
     * @param healthOrigin null before the first health report
     * @param health signals that are on, and those that were until a while ago
     * @param numaOrigin null before the first NUMA report
     * @param numaUnknown what of its NUMA nodes is in use by nobody known
     * @param unaligned requirements that its kubelet could not align, against what was foreseen
     * @param awayMillis since when it is not ready, or gone while pods are on it, domain time; 0 while it is there and ready
     */
    record Node(
            NodeId id,
            int ordinal,
            Origin origin,
            NodeFacts facts,
            Origin healthOrigin,
            List<HealthEpisode> health,
            Origin numaOrigin,
            NumaFacts numa,
            List<NumaShare> numaUnknown,
            List<Requirement> unaligned,
            long awayMillis)
            implements Row {
        public Node {
            health = List.copyOf(health);
            numaUnknown = List.copyOf(numaUnknown);
            unaligned = List.copyOf(unaligned);
        }

        @Override
        public Table table() {
            return Table.NODES;
        }

        @Override
        public String key() {
            return id.toString();
        }
    }

    /**
     * A pod and the GPU devices it holds on its node.
     *
     * @param stranger it names a submitted job, but was given no place in it
     * @param numa what it has of its node's NUMA nodes
     * @param boundMillis when it was first seen on a node, domain time; 0 while it has none
     * @param leavingMillis when it was first seen to be deleted, domain time; 0 while it is not
     */
    record Pod(
            Origin origin,
            PodFacts facts,
            List<Integer> devices,
            boolean stranger,
            NumaPlacement numa,
            long boundMillis,
            long leavingMillis)
            implements Row {
        public Pod {
            devices = List.copyOf(devices);
        }

        @Override
        public Table table() {
            return Table.PODS;
        }

        @Override
        public String key() {
            return origin.cluster() + "/" + origin.uid();
        }
    }

    /**
     * A gang object, Volcano Job or batch Job as last seen.
     *
     * @param gone it is no more, but what it said holds for its pods until the last of them is gone
     */
    record Group(Origin origin, String kind, GroupFacts facts, boolean gone) implements Row {
        @Override
        public Table table() {
            return Table.GROUPS;
        }

        @Override
        public String key() {
            return key(origin.cluster(), kind, origin.namespace(), origin.name());
        }

        /** The key of a group object. */
        public static String key(String cluster, String kind, String namespace, String name) {
            return cluster + "/" + kind + "/" + namespace + "/" + name;
        }
    }

    /** A policy object as last seen; Volcano Queues have a table of their own. */
    record PolicyObject(Origin origin, String kind, Policy policy) implements Row {
        @Override
        public Table table() {
            return policy instanceof Policy.Queue ? Table.QUEUES : Table.POLICIES;
        }

        @Override
        public String key() {
            return kind + "/" + origin.cluster() + "/" + origin.namespace() + "/" + origin.name();
        }
    }

    /**
     * A workload, without what follows from pods, groups and holds.
     *
     * @param cluster member cluster; empty while a submitted job has none
     * @param object name of the group object, job id or pod name
     * @param tenant for submitted jobs; empty otherwise
     * @param groupUid uid of the gang object it was last seen with; empty where it never was
     * @param arrivedSequence journal entry that made it known: its place in the queue
     * @param job for submitted jobs; null otherwise
     * @param endedSlots pods of a submitted job that ended, sorted; all of those that have no row any more are among them
     * @param reason without what follows from members
     * @param failures refused or failed placements in a row
     * @param marked to be looked at in the next round
     * @param untold counts changed since the status was told: it is told with the next tick
     * @param cascade how many evictions in a row led to its own; 0 when it was not evicted since it last ran
     * @param evictedFor for whom it was evicted last; null where it never was
     * @param evictedMillis when that was, domain time
     * @param flavors flavors by pod set and resource, as long as it is charged for any pod
     * @param entitled pods that a batch Job keeps quota for while it runs
     * @param drainMillis when it was decided last to evict it since its queue is to be emptied, domain time; 0 while it was not
     * @param evictedReason by which right it was evicted last; empty where it never was
     * @param suspended a submitted job that its tenant suspended
     */
    record Workload(
            WorkloadId id,
            WorkloadKind kind,
            String cluster,
            String namespace,
            String object,
            String tenant,
            String groupUid,
            long arrivedSequence,
            long arrivedMillis,
            SubmittedJob job,
            List<EndedSlot> endedSlots,
            boolean cancelled,
            long attempt,
            DecisionId decision,
            WorkloadState state,
            Reason reason,
            long sinceMillis,
            long backoffUntilMillis,
            int failures,
            boolean marked,
            boolean untold,
            boolean onceStarted,
            List<PlacedRanks> lastPlaces,
            String ownerJob,
            int cascade,
            WorkloadId evictedFor,
            long evictedMillis,
            SortedMap<String, SortedMap<String, String>> flavors,
            int entitled,
            long drainMillis,
            String evictedReason,
            boolean suspended)
            implements Row {
        public Workload {
            endedSlots = List.copyOf(endedSlots);
            lastPlaces = List.copyOf(lastPlaces);
            flavors = flavors.isEmpty()
                    ? Collections.emptySortedMap()
                    : Collections.unmodifiableSortedMap(new TreeMap<>(flavors));
        }

        @Override
        public Table table() {
            return Table.WORKLOADS;
        }

        @Override
        public String key() {
            return id.value();
        }
    }

    /**
     * What a LocalQueue used lately.
     *
     * @param localQueue namespace/name
     * @param sampledMillis up to when, domain time
     * @param average by resource, in parts of 1024 of the units of quotas
     */
    record LocalUsage(String localQueue, long sampledMillis, List<Amount> average) implements Row {
        /** What keys begin with; no queue is called so. */
        public static final String PREFIX = "LocalUsage/";

        public LocalUsage {
            average = List.copyOf(average);
        }

        @Override
        public Table table() {
            return Table.QUOTAS;
        }

        @Override
        public String key() {
            return PREFIX + localQueue;
        }
    }

    /** A pod of a submitted job that ended. */
    record EndedSlot(int podSet, int index, boolean succeeded) {}

    /** What the placed and bound pods of a queue's workloads use, sorted by flavor and resource. */
    record Quota(String queue, List<FlavorAmount> used) implements Row {
        public Quota {
            used = List.copyOf(used);
        }

        @Override
        public Table table() {
            return Table.QUOTAS;
        }

        @Override
        public String key() {
            return queue;
        }
    }

    /**
     * Room set aside for a decision until its pods are seen bound.
     *
     * @param deadlineMillis domain time after which the decision is revoked
     * @param revoking a Revoke was decided: the hold lasts until its outcome
     * @param requirements the distinct requirements of the members
     * @param members those not yet seen bound by the cluster, and of a submitted job those that were, in order; it may still
     *     name others that were seen since it was written
     * @param kept it keeps room while others leave; no placement yet
     * @param asked their eviction was decided, and its outcome is not known yet
     * @param victims uids of the pods that are evicted
     * @param brokenMillis of the slots of a gang that lost members: since when it lacks them, domain time; otherwise 0
     */
    record Hold(
            DecisionId decision,
            WorkloadId workload,
            long attempt,
            String cluster,
            String namespace,
            boolean gang,
            long deadlineMillis,
            boolean revoking,
            List<Requirement> requirements,
            List<HeldMember> members,
            boolean kept,
            boolean asked,
            List<String> victims,
            long brokenMillis)
            implements Row {
        public Hold {
            victims = List.copyOf(victims);
            requirements = List.copyOf(requirements);
            members = List.copyOf(members);
        }

        @Override
        public Table table() {
            return Table.HOLDS;
        }

        @Override
        public String key() {
            return decision.toString();
        }
    }

    /**
     * A member whose room is held.
     *
     * @param requirement index into the hold's requirements
     * @param confirmed the binder said it is bound (or was, and is being evicted): only news of the pod ends the hold
     * @param seenVersion once confirmed: resource version of a state in which the binder saw the pod
     * @param numa what is held of the node's NUMA nodes
     * @param leftUid uid of the pod that had the place and is no more; empty where there was none
     * @param claims what its claims were promised that were not bound
     */
    record HeldMember(
            int podSet,
            int index,
            String name,
            String uid,
            String node,
            int requirement,
            List<Integer> devices,
            boolean confirmed,
            long seenVersion,
            NumaPlacement numa,
            String leftUid,
            List<ClaimPlacement> claims) {
        public HeldMember {
            devices = List.copyOf(devices);
            claims = List.copyOf(claims);
        }
    }
}
