package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.NumaPlacement;
import java.util.Comparator;
import java.util.List;

/** A member whose room is held on a node. In order: by pod set and index, then by name and uid where pods carry no index. */
final class HeldMember implements Comparable<HeldMember> {
    private static final Comparator<HeldMember> ORDER = Comparator.<HeldMember>comparingInt(held -> held.podSet)
            .thenComparingInt(held -> held.index)
            .thenComparing(held -> held.name)
            .thenComparing(held -> held.uid);

    final Hold hold;
    final int podSet;
    final int index;
    final String name;
    /** Pod uid; empty until the binder has created the pod. */
    String uid;

    final NodeState node;
    final InternedRequirement requirement;
    final int[] devices;
    final NumaPlacement numa;
    /** What its claims were promised that were not bound. */
    final List<ClaimPlacement> claims;
    /** The member it is for; null when that member is gone but the binder may still act on it. */
    Member member;
    /** The pod as which rules of other pods count this room; null while there is none. */
    SeenPod counted;
    /** The binder said that it is bound, or was and is being evicted: only news of the pod ends the hold. */
    boolean confirmed;
    /** Resource version of a state of the pod that the binder saw when it said so. */
    long seenVersion;
    /** Uid of the pod that had the place and is no more; empty where there was none. */
    String leftUid = "";

    HeldMember(
            Hold hold,
            int podSet,
            int index,
            String name,
            String uid,
            NodeState node,
            InternedRequirement requirement,
            int[] devices,
            NumaPlacement numa,
            List<ClaimPlacement> claims) {
        this.hold = hold;
        this.podSet = podSet;
        this.index = index;
        this.name = name;
        this.uid = uid;
        this.node = node;
        this.requirement = requirement;
        this.devices = devices;
        this.numa = numa;
        this.claims = claims;
    }

    Row.HeldMember row(int requirementIndex) {
        return new Row.HeldMember(
                podSet,
                index,
                name,
                uid,
                node.id().name(),
                requirementIndex,
                Devices.list(devices),
                confirmed,
                seenVersion,
                numa,
                leftUid,
                claims);
    }

    /** The same room on the node as it is known now. A pod had it: its claims need nothing any more. */
    HeldMember on(NodeState now) {
        HeldMember again = new HeldMember(hold, podSet, index, name, uid, now, requirement, devices, numa, List.of());
        again.member = member;
        again.confirmed = confirmed;
        again.seenVersion = seenVersion;
        return again;
    }

    @Override
    public int compareTo(HeldMember other) {
        return ORDER.compare(this, other);
    }
}
