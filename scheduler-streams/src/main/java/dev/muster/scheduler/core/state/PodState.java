package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodId;
import java.util.List;

/** A pod as last seen, and the room it holds. */
final class PodState {
    static final int[] NO_DEVICES = {};

    private final PodId id;
    String name;
    /** Of the ingest that told of it. */
    long epoch;
    /** Which state of it is known. */
    long resourceVersion;
    /** Index inside its task; -1 where it has none. */
    int index = -1;
    /** All else that is known of it; without the index, so that pods of a gang share it. */
    PodFacts facts;

    InternedRequirement requirement;
    /** What rules of other pods see of it. */
    SeenPod seen;
    /** Where it holds room; null while it holds none. */
    NodeState node;
    /** Devices it holds there, rising; fewer than it asks for when others over-committed the node. */
    int[] devices = NO_DEVICES;
    /** What it has of the NUMA nodes there, as far as anybody knows. */
    NumaPlacement numa = NumaPlacement.NONE;
    /** When it was first seen on a node, domain time; 0 while it has none. */
    long boundMillis;
    /** When it was first seen to be deleted, domain time; 0 while it is not. */
    long leavingMillis;
    /** Its part in a workload; null for pods that are not ours. */
    Member member;
    /** It names a submitted job, but was given no place in it. */
    boolean stranger;

    PodState(PodId id) {
        this.id = id;
    }

    PodId id() {
        return id;
    }

    String namespace() {
        return seen.namespace();
    }

    /** Which object it is, and which state of it is known. */
    Origin origin() {
        return new Origin(id.cluster(), epoch, namespace(), name, id.uid(), resourceVersion);
    }

    /** Whether it is being deleted and can be expected to be gone soon: one that takes too long may never go. */
    boolean leavesSoon(long nowMillis, long patienceMillis) {
        return facts.deleting() && nowMillis - leavingMillis < patienceMillis;
    }

    boolean lacksDevices() {
        int wanted = requirement.sharesGpu() ? 1 : requirement.gpus();
        return node != null && devices.length < wanted;
    }

    Row.Pod row() {
        return new Row.Pod(
                origin(), facts.withIndex(index), Devices.list(devices), stranger, numa, boundMillis, leavingMillis);
    }

    static int[] devices(List<Integer> list) {
        return list.isEmpty() ? NO_DEVICES : Devices.array(list);
    }
}
