package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.FlavorNodes;
import dev.muster.scheduler.core.model.Requirement;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** One pod of a workload: a pod of the cluster, or the place of one that the binder has yet to create. */
public final class Member implements Comparable<Member> {
    /** Where a member is in its life. */
    public enum Phase {
        /** Wants room. */
        WAITING,
        /** Is there, but has scheduling gates. */
        GATED,
        /** Room is held for it. */
        HELD,
        /** Has a node. */
        BOUND,
        /** Is being deleted: counts for nothing, but may still hold room. */
        LEAVING,
        /** Ended well. */
        SUCCEEDED,
        /** Ended badly. */
        FAILED
    }

    private static final byte NOT_ENDED = 0;
    private static final byte ENDED_WELL = 1;
    private static final byte ENDED_BADLY = 2;
    private static final byte END_KEPT = 4;
    private static final Phase[] PHASES = Phase.values();
    private static final byte NO_PHASE = -1;

    private final PodSet podSet;
    private final int index;
    private final String name;
    /** The pod; null while the binder has yet to create it. */
    PodState pod;
    /** What it needs. */
    InternedRequirement requirement;
    /** The hold that covers it; null where none does. */
    HeldMember held;
    /** What the pod of a submitted job will leave to the hold it came from; null where that is over. */
    HeldMember handedOver;
    /** Room that is kept for it while others leave; null where none is. */
    HeldMember kept;
    /** How the pod of a submitted job ended, kept when the pod is gone: one of the three above, with a mark where the workload's row says it. */
    private byte end = NOT_ENDED;
    /** Its room counts against the queue's usage. */
    boolean charged;
    /** The phase it is counted under, and the one it is taken to be in on trial: a number each, since members are many. */
    private byte counted = NO_PHASE;

    private byte onTrial = NO_PHASE;

    Member(PodSet podSet, int index, String name, InternedRequirement requirement) {
        this.podSet = podSet;
        this.index = index;
        this.name = name;
        this.requirement = requirement;
    }

    public PodSet podSet() {
        return podSet;
    }

    /** Index inside the pod set; -1 where pods carry none. */
    public int index() {
        return index;
    }

    /** Pod name. */
    public String name() {
        return name;
    }

    /** Uid of the pod; empty where the binder has yet to create it. */
    public String podUid() {
        return pod == null ? "" : pod.id().uid();
    }

    /** What it needs: where its pod set has flavors, on their nodes. */
    public InternedRequirement requirement() {
        FlavorNodes nodes = podSet.workload().nodesOf(podSet);
        return nodes == null ? requirement : requirement.on(nodes);
    }

    /** What it asks for itself, wherever. */
    public Requirement ownRequirement() {
        return requirement.requirement();
    }

    /** What rules of other pods see of it, or will when the binder has made it. */
    SeenPod seen() {
        return pod == null ? podSet.unmade() : pod.seen;
    }

    /** The phase it is counted under; null while it is under none. */
    Phase counted() {
        return phaseOf(counted);
    }

    void countAs(Phase phase) {
        counted = numberOf(phase);
    }

    /** The phase it is taken to be in on trial; null outside of one. */
    private Phase onTrial() {
        return phaseOf(onTrial);
    }

    /** Takes it to be in a phase, for a trial; null ends that. */
    void assume(Phase phase) {
        onTrial = numberOf(phase);
    }

    private static Phase phaseOf(byte number) {
        return number == NO_PHASE ? null : PHASES[number];
    }

    private static byte numberOf(Phase phase) {
        return phase == null ? NO_PHASE : (byte) phase.ordinal();
    }

    /** Whether the pod of a submitted job had the place and ended. */
    boolean ended() {
        return end != NOT_ENDED;
    }

    /** Whether it ended well. */
    boolean endedWell() {
        return (end & ENDED_WELL) != 0;
    }

    /** Whether the workload's row says how it ended. */
    boolean isEndKept() {
        return (end & END_KEPT) != 0;
    }

    void endKept() {
        end |= END_KEPT;
    }

    void end(boolean well) {
        end = well ? ENDED_WELL : ENDED_BADLY;
    }

    /** Whether it wants room. */
    public boolean waits() {
        return counted() == Phase.WAITING;
    }

    /** Whether it counts towards the minimum: held, bound or ended well. */
    public boolean isPlaced() {
        return counted() == Phase.HELD || counted() == Phase.BOUND || counted() == Phase.SUCCEEDED;
    }

    /** The node that it has or that is held for it; null where there is none (any more). */
    public NodeState node() {
        if (onTrial() == Phase.WAITING) {
            return null;
        }
        if (pod != null && pod.node != null) {
            return pod.node;
        }
        return held == null ? null : held.node;
    }

    /** When its pod was seen bound, domain time; 0 while it is not. */
    public long boundMillis() {
        return pod == null ? 0 : pod.boundMillis;
    }

    /** When its pod says that its work was saved last, epoch milliseconds; 0 while it says nothing. */
    public long checkpointMillis() {
        return pod == null ? 0 : pod.facts.checkpointMillis();
    }

    /** Whether its pod has a node and is neither leaving nor ended. */
    public boolean bound() {
        return counted() == Phase.BOUND && pod != null && pod.node != null;
    }

    /** Namespace of its pod. */
    public String namespace() {
        return podSet.workload().namespace();
    }

    /** Whether its pod may have others evicted: preemptionPolicy is not Never; true while there is no pod. */
    boolean mayPreempt() {
        return pod == null || pod.facts.mayPreempt();
    }

    /** The pod's labels; none while the binder has yet to create it. */
    public SortedMap<String, String> labels() {
        return pod == null ? NO_LABELS : pod.facts.labels();
    }

    private static final SortedMap<String, String> NO_LABELS = Collections.unmodifiableSortedMap(new TreeMap<>());

    /** Whether room is taken for it, by its pod or by a hold. */
    boolean takesRoom() {
        return held != null || (pod != null && pod.node != null);
    }

    /** Works out the phase from pod and hold. */
    Phase phase() {
        if (onTrial != NO_PHASE) {
            return onTrial();
        }
        if (ended()) {
            return endedWell() ? Phase.SUCCEEDED : Phase.FAILED;
        }
        if (pod != null && pod.facts.stopped()) {
            return Phase.LEAVING;
        }
        if (pod != null && pod.facts.terminal()) {
            return pod.facts.succeeded() ? Phase.SUCCEEDED : Phase.FAILED;
        }
        if (pod != null && pod.facts.deleting()) {
            return Phase.LEAVING;
        }
        if (pod != null && !pod.facts.node().isEmpty()) {
            return Phase.BOUND;
        }
        if (held != null) {
            return Phase.HELD;
        }
        return pod != null && pod.facts.gated() ? Phase.GATED : Phase.WAITING;
    }

    /** By index, name and uid: ranks in order, and a total order in any case; who stands in for another on trial comes after it. */
    @Override
    public int compareTo(Member other) {
        int byIndex = Integer.compare(index, other.index);
        if (byIndex != 0) {
            return byIndex;
        }
        int byName = name.compareTo(other.name);
        int byUid = byName != 0 ? byName : podUid().compareTo(other.podUid());
        return byUid != 0 ? byUid : Boolean.compare(onTrial() == Phase.WAITING, other.onTrial() == Phase.WAITING);
    }
}
