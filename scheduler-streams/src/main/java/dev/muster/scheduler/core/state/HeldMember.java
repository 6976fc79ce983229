package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NumaPlacement;

/** A member whose room is held on a node. */
final class HeldMember {
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
    /** The member it is for; null when that member is gone but the binder may still act on it. */
    Member member;
    /** The pod as which rules of other pods count this room; null while there is none. */
    SeenPod counted;
    /** The binder said that it is bound, or was and is being evicted: only news of the pod ends the hold. */
    boolean confirmed;
    /** Resource version of a state of the pod that the binder saw when it said so. */
    long seenVersion;

    HeldMember(
            Hold hold,
            int podSet,
            int index,
            String name,
            String uid,
            NodeState node,
            InternedRequirement requirement,
            int[] devices,
            NumaPlacement numa) {
        this.hold = hold;
        this.podSet = podSet;
        this.index = index;
        this.name = name;
        this.uid = uid;
        this.node = node;
        this.requirement = requirement;
        this.devices = devices;
        this.numa = numa;
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
                numa);
    }
}
