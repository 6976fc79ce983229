package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Takes facts of pods into the state: the room they hold on nodes, and their part in workloads. A pod holds its room from
 * the moment it has a node until it is gone or terminal, never only until its deletion timestamp (volcano#2282).
 */
public final class PodFactsTaker {
    private final DomainState state;
    private final Members members;
    private final NumaReports numaReports;

    PodFactsTaker(DomainState state, Members members) {
        this.state = state;
        this.members = members;
        this.numaReports = new NumaReports(state);
    }

    /** What reports of NUMA nodes say of pods. */
    NumaReports numaReports() {
        return numaReports;
    }

    public boolean changed(PodChanged event) {
        Origin origin = event.origin();
        if (outdated(origin)) {
            return false;
        }
        PodId id = new PodId(origin.cluster(), origin.uid());
        PodState pod = state.pods.get(id);
        if (pod != null && Facts.isRepeat(pod.origin(), origin)) {
            if (pod.epoch >= origin.epoch()) {
                return false;
            }
            pod.epoch = origin.epoch();
            state.touch(pod);
            return true;
        }
        take(
                pod == null ? new PodState(new PodId(state.sharing.one(id.cluster()), id.uid())) : pod,
                origin,
                event.facts(),
                null);
        return true;
    }

    /** What of its node's devices and NUMA nodes a pod has. */
    record Placed(int[] devices, NumaPlacement numa) {}

    /** Takes a pod as described; what it has of its node is given when restoring, found otherwise. */
    void take(PodState pod, Origin newOrigin, PodFacts newFacts, Placed known) {
        PodFacts before = pod.facts;
        NodeState nodeBefore = pod.node;
        InternedRequirement requirement = before != null && before.requirement().equals(newFacts.requirement())
                ? pod.requirement
                : state.interner.requirement(newFacts.requirement());
        int index = newFacts.index();
        PodFacts facts = state.sharing.pod(
                newFacts, requirement, state.node(new NodeId(pod.id().cluster(), newFacts.node())));
        boolean samePlace = nodeBefore != null
                && requirement == pod.requirement
                && facts.holdsRoom()
                && nodeBefore.id().name().equals(facts.node());
        if (!samePlace) {
            leaveNode(pod, facts.succeeded() || facts.holdsRoom());
        }
        SeenPod seenBefore = pod.seen;
        String namespace = state.sharing.one(newOrigin.namespace());
        SeenPod seen = state.sharing.one(new SeenPod(namespace, facts.labels(), facts.deleting()));
        boolean seenOtherwise = before != null && !seen.equals(seenBefore);
        InternedRequirement requirementBefore = pod.requirement;
        state.pods.put(pod);
        Runnable change = () -> {
            if (!newOrigin.name().equals(pod.name)) {
                pod.name = newOrigin.name();
            }
            pod.epoch = newOrigin.epoch();
            pod.resourceVersion = newOrigin.resourceVersion();
            pod.index = index;
            pod.facts = facts;
            pod.requirement = requirement;
            pod.seen = seen;
            pod.leavingMillis = !facts.deleting() ? 0 : pod.leavingMillis > 0 ? pod.leavingMillis : state.timeMillis();
        };
        if (before == null) {
            change.run();
            PodState replaced = members.replacedBy(pod);
            if (replaced != null) {
                remove(replaced);
            }
            if (known == null) {
                members.attach(pod);
            } else {
                members.reattach(pod);
            }
        } else if (pod.index == index && sameMember(before, facts)) {
            change.run();
            members.adopt(pod);
        } else {
            members.move(pod, change);
        }
        if (requirementBefore != requirement) {
            refer(pod, requirementBefore, requirement);
        }
        if (seenOtherwise) {
            seenOtherwise(pod, seenBefore);
        }
        if (pod.member != null && pod.member.held != null) {
            state.podTerms.recount(pod.member.held);
        }
        if (pod.member != null && pod.member.kept != null) {
            state.podTerms.recount(pod.member.kept);
        }
        if (!samePlace && facts.holdsRoom()) {
            enterNode(pod, known, before == null);
        }
        if (facts.unaligned() && before != null && !before.terminal()) {
            numaReports.turnedAway(requirement, new NodeId(pod.id().cluster(), facts.node()));
        }
        state.volumes.podKnown(pod);
        members.podSeen(pod);
        state.touch(pod);
        if (nodeBefore != null && pod.node != nodeBefore) {
            if (!facts.unaligned()) {
                numaReports.left(nodeBefore);
            }
            state.freeRoom();
        }
    }

    /** By rules about other pods, what is allowed may be another node now. */
    private void seenOtherwise(PodState pod, SeenPod before) {
        if (pod.node != null) {
            state.podTerms.recount(pod.node, before, pod.seen);
        }
        boolean relabelled = !before.labels().equals(pod.seen.labels());
        String cluster = pod.id().cluster();
        if (relabelled && !state.podTerms.none()
                || state.podTerms.moves(cluster, before)
                || state.podTerms.moves(cluster, pod.seen)) {
            state.freeRoom();
        }
    }

    private void refer(PodState pod, InternedRequirement before, InternedRequirement now) {
        state.podTerms.refer(now, pod.id().cluster(), 1);
        if (before != null) {
            state.podTerms.refer(before, pod.id().cluster(), -1);
        }
    }

    private static boolean sameMember(PodFacts before, PodFacts now) {
        return before.ours() == now.ours()
                && Objects.equals(before.group(), now.group())
                && before.task().equals(now.task())
                && before.priority() == now.priority()
                && before.queue().equals(now.queue())
                && before.localQueue().equals(now.localQueue())
                && before.workloadPriorityClass().equals(now.workloadPriorityClass())
                && before.requirement().equals(now.requirement());
    }

    public boolean gone(PodGone event) {
        Origin origin = event.origin();
        PodState pod = state.pods.get(new PodId(origin.cluster(), origin.uid()));
        if (pod == null || outdated(origin)) {
            return false;
        }
        remove(pod);
        return true;
    }

    void removeUnlisted(String cluster, long epoch, long listVersion) {
        List<PodState> unlisted = state.pods.stream()
                .filter(pod -> pod.id().cluster().equals(cluster) && pod.epoch < epoch)
                .sorted(Comparator.comparing(PodState::id))
                .toList();
        unlisted.forEach(this::remove);
        members.holds.releaseUnlisted(cluster, listVersion);
    }

    /** Another full list of pods is in: what it does not show may have come and gone unseen. True when that changes anything. */
    boolean listedAgain(String cluster, long listVersion) {
        return members.holds.releaseUnlisted(cluster, listVersion);
    }

    private void remove(PodState pod) {
        NodeState heldRoomOn = pod.node;
        leaveNode(pod, false);
        members.podGone(pod);
        state.pods.remove(pod.id());
        state.volumes.podForgotten(pod);
        state.podTerms.refer(pod.requirement, pod.id().cluster(), -1);
        state.touch(pod);
        if (heldRoomOn != null) {
            numaReports.left(heldRoomOn);
            state.freeRoom();
        }
    }

    private void enterNode(PodState pod, Placed known, boolean first) {
        NodeId place = new NodeId(pod.id().cluster(), pod.facts.node());
        HeldMember held = pod.member == null ? null : pod.member.held;
        Placed heldHere = held != null && held.node.id().equals(place) ? new Placed(held.devices, held.numa) : null;
        if (heldHere != null) {
            members.holds.handOver(held, pod);
        } else if (held != null && !held.hold.workload.createsPods()) {
            members.holds.releaseSeen(held);
            state.freeRoom();
        } // else an earlier pod of the place, heard of late: of the one that the hold is for it says nothing
        if (held != null && held.hold.members.isEmpty()) {
            state.mayBePreempted(held.hold.workload);
        }
        // Looked up only now: a node known by name alone is forgotten when its last hold goes.
        NodeState node = state.nodeNamed(place);
        pod.node = node;
        Placed placed = known != null ? known : heldHere;
        pod.numa = placed != null ? placed.numa() : numaReports.ofFound(pod, node);
        pod.devices = known != null ? known.devices() : devicesFor(pod, node, heldHere);
        if (pod.boundMillis == 0) {
            pod.boundMillis = heldHere != null ? state.timeMillis() : foundBound(pod, first);
        }
        state.podTerms.count(pod.requirement, pod.seen, node, 1);
        node.take(pod.requirement, pod.devices, pod.numa);
        node.pods.put(pod.id().uid(), pod);
        state.sick.changed(node);
        if (state.podTerms.moves(pod.id().cluster(), pod.seen)) {
            state.freeRoom();
        }
    }

    /** A pod that is bound when it is first heard of has been so for a while: since it was made, as far as anybody knows. */
    private long foundBound(PodState pod, boolean first) {
        long created = pod.facts.createdMillis();
        return first && created > 0 ? Math.min(created, state.timeMillis()) : state.timeMillis();
    }

    /**
     * The devices of a pod that was found bound: those that were held for it, else those its annotation names, else, like
     * the device plugin, any that are free.
     */
    private static int[] devicesFor(PodState pod, NodeState node, Placed held) {
        int gpus = pod.requirement.gpus();
        int wanted = pod.requirement.sharesGpu() ? 1 : gpus;
        if (wanted == 0) {
            return PodState.NO_DEVICES;
        }
        if (held != null) {
            return held.devices();
        }
        int[] annotated = PodState.devices(pod.facts.devices());
        if (annotated.length == wanted && rising(annotated)) {
            return annotated;
        }
        int[] chosen = gpus > node.devices().wholeFree()
                ? node.devices().choose(node.devices().wholeFree())
                : node.chooseDevices(pod.requirement, pod.numa);
        return chosen == null ? PodState.NO_DEVICES : chosen;
    }

    private static boolean rising(int[] devices) {
        for (int i = 0; i < devices.length; i++) {
            if (devices[i] < (i == 0 ? 0 : devices[i - 1] + 1) || devices[i] >= NodeState.MAX_DEVICES) {
                return false;
            }
        }
        return true;
    }

    private void leaveNode(PodState pod, boolean needsNoSlot) {
        if (pod.node == null) {
            return;
        }
        NodeState node = pod.node;
        int[] devices = pod.devices;
        NumaPlacement numa = pod.numa;
        state.podTerms.count(pod.requirement, pod.seen, node, -1);
        node.give(pod.requirement, pod.devices, pod.numa);
        node.pods.remove(pod.id().uid());
        pod.node = null;
        pod.devices = PodState.NO_DEVICES;
        pod.numa = NumaPlacement.NONE;
        if (!needsNoSlot) {
            members.slots().left(pod, node, devices, numa);
        }
        state.forgetIfUnneeded(node);
    }

    /**
     * Changes what is known of a node. Where its GPUs have another size then, what is held of them as so much memory is given
     * back before, and taken anew as another part of a GPU.
     */
    void whileSharesAreOff(NodeState node, int newGpuMemoryMib, Runnable change) {
        if (node.gpuMemoryMib() == newGpuMemoryMib) {
            change.run();
            return;
        }
        List<PodState> sharers = node.pods.values().stream()
                .filter(pod -> pod.requirement.requirement().gpuMemoryMib() > 0)
                .toList();
        List<HeldMember> held = state.holds.values().stream()
                .flatMap(hold -> hold.members.stream())
                .filter(member ->
                        member.node == node && member.requirement.requirement().gpuMemoryMib() > 0)
                .toList();
        sharers.forEach(pod -> node.give(pod.requirement, pod.devices, pod.numa));
        held.forEach(member -> node.give(member.requirement, member.devices, member.numa));
        GpuSizes sizes = state.interner.gpuSizes;
        int gpuMemoryMib = node.gpuMemoryMib();
        if (sizes.wouldChange(gpuMemoryMib, newGpuMemoryMib)) {
            state.queues.whileMemoryIsOff(() -> sizes.replace(gpuMemoryMib, newGpuMemoryMib));
        } else {
            sizes.replace(gpuMemoryMib, newGpuMemoryMib);
        }
        change.run();
        sharers.forEach(pod -> node.take(pod.requirement, pod.devices, pod.numa));
        held.forEach(member -> node.take(member.requirement, member.devices, member.numa));
    }

    /** Gives devices to pods that were seen before their node said how many it has. */
    void assignMissingDevices(NodeState node) {
        for (PodState pod : node.pods.values()) {
            if (pod.lacksDevices()) {
                node.give(pod.requirement, pod.devices, pod.numa);
                pod.devices = devicesFor(pod, node, null);
                node.take(pod.requirement, pod.devices, pod.numa);
                state.touch(pod);
            }
        }
    }

    private boolean outdated(Origin origin) {
        ClusterState cluster = state.cluster(origin.cluster());
        return cluster != null && origin.epoch() < cluster.beganEpoch(Kinds.POD);
    }
}
