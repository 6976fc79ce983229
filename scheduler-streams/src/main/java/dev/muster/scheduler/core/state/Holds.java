package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.state.Overlay.Reservation;
import java.util.List;

/** Gives back what is held for members, and keeps the rows of holds in step. */
final class Holds {
    private final DomainState state;

    Holds(DomainState state) {
        this.state = state;
    }

    /**
     * Gives back the room that was held for a pod which was seen on a node or ended. The hold's row may go on naming it: that
     * it is not held any more follows from the pod's row, for as long as there is one (see {@link #podGone}). So a gang's hold
     * is not written once for each of its pods.
     */
    void releaseSeen(HeldMember held) {
        Hold hold = held.hold;
        giveBack(held);
        if (hold.over()) {
            changed(hold);
        } else {
            state.deadlines.watch(hold);
            state.touch(hold.workload);
        }
    }

    /** The same for the pod of a submitted job: while the decision is open, the room is the hold's again after it. */
    void handOver(HeldMember held, PodState pod) {
        Member member = held.member;
        boolean answered = held.confirmed && held.uid.equals(pod.id().uid());
        if (member != null && held.hold.workload.createsPods() && !answered) {
            held.hold.handedOver.add(held);
            member.handedOver = held;
        }
        releaseSeen(held);
    }

    /**
     * A pod of a submitted job ended or is gone. While its decision is open, what it had of its node is held for the one that
     * may be made in its place.
     */
    void left(Member member, String uid) {
        HeldMember held = member.held;
        HeldMember handedOver = member.handedOver;
        if (held != null) {
            if (held.confirmed && held.uid.equals(uid)) {
                releaseSeen(held);
                state.freeRoom();
            } else {
                held.leftUid = uid;
                changed(held.hold);
            }
        } else if (handedOver != null) {
            endHandOver(member);
            if (!(handedOver.confirmed && handedOver.uid.equals(uid))) {
                takeBack(handedOver, uid);
            }
            changed(handedOver.hold);
        }
    }

    private void takeBack(HeldMember handedOver, String leftUid) {
        NodeState node = state.nodeNamed(handedOver.node.id());
        HeldMember held = handedOver.on(node);
        held.leftUid = leftUid;
        held.counted = held.member.seen();
        node.take(held.requirement, held.devices, held.numa);
        node.heldBy(1);
        state.podTerms.refer(held.requirement, held.hold.cluster, 1);
        state.podTerms.count(held.requirement, held.counted, node, 1);
        held.hold.members.add(held);
        held.hold.members.sort(null);
        held.member.held = held;
        state.recount(held.member.podSet().workload(), held.member);
    }

    /** What a pod has is its own from now on. */
    void endHandOver(Member member) {
        HeldMember handedOver = member.handedOver;
        if (handedOver != null) {
            member.handedOver = null;
            handedOver.hold.handedOver.remove(handedOver);
        }
    }

    /** The same for all of a hold's; whether there were any. */
    boolean endHandOvers(Hold hold) {
        boolean any = !hold.handedOver.isEmpty();
        List.copyOf(hold.handedOver).forEach(held -> endHandOver(held.member));
        return any;
    }

    /** A submitted job's place outlives its pod: what followed from the pod's row must be written when that goes. */
    void podGone(Workload workload) {
        List.copyOf(workload.holds()).forEach(this::changed);
    }

    /** Gives a member's held room back; a hold without members is gone. */
    void release(HeldMember held) {
        giveBack(held);
        changed(held.hold);
    }

    /** Makes a reservation a member's part of a hold. */
    HeldMember hold(Hold hold, List<PodSet> podSets, Reservation reservation) {
        Member member = reservation.member();
        HeldMember held = new HeldMember(
                hold,
                podSets.indexOf(member.podSet()),
                member.index(),
                member.name(),
                member.podUid(),
                reservation.node(),
                member.requirement(),
                reservation.devices(),
                reservation.numa(),
                reservation.claims());
        held.member = member;
        held.counted = member.seen();
        state.podTerms.refer(held.requirement, hold.cluster, 1);
        hold.members.add(held);
        reservation.node().heldBy(1);
        return held;
    }

    /** The same of room that was kept and is not yet a member's; when it was lifted, others may have it by now. */
    void giveBackKept(HeldMember held, boolean lifted) {
        held.member = null;
        if (!lifted) {
            giveRoom(held);
        }
        forget(held);
    }

    private void giveBack(HeldMember held) {
        giveRoom(held);
        forget(held);
    }

    private void giveRoom(HeldMember held) {
        state.podTerms.count(held.requirement, held.counted, held.node, -1);
        held.node.give(held.requirement, held.devices, held.numa);
        held.node.withdraw(held.claims);
    }

    private void forget(HeldMember held) {
        Hold hold = held.hold;
        held.counted = null;
        held.node.heldBy(-1);
        state.forgetIfUnneeded(held.node);
        hold.members.remove(held);
        state.podTerms.refer(held.requirement, hold.cluster, -1);
        Member member = held.member;
        if (member != null) {
            member.held = null;
            state.recount(member.podSet().workload(), member);
        }
    }

    /** Writes a hold through, or forgets it when nothing is held by it. */
    void changed(Hold hold) {
        if (hold.over()) {
            state.deadlines.forget(hold);
            state.holds.remove(hold.decision);
            hold.workload.remove(hold);
        } else {
            state.deadlines.watch(hold);
        }
        state.touch(hold.workload);
        state.dirty(Row.Table.HOLDS, hold.decision.toString(), () -> {
            Hold now = state.holds.get(hold.decision);
            return now == null ? null : now.row();
        });
    }

    /**
     * Ends what is held for pods that the binder saw bound and a full list does not show, though it is as new: they came and
     * went unseen. A list that was read before the pod was made says nothing of it, however late the news of it comes. True
     * when that changed anything.
     */
    boolean releaseUnlisted(String cluster, long listVersion) {
        boolean changed = false;
        for (Hold hold : List.copyOf(state.holds.values())) {
            if (!hold.cluster.equals(cluster)) {
                continue;
            }
            for (HeldMember held : List.copyOf(hold.members)) {
                // Another pod in its place, made anew, says nothing of the one that was seen.
                PodState pod = held.member == null ? null : held.member.pod;
                boolean listed = pod != null && pod.id().uid().equals(held.uid);
                if (held.confirmed && !listed && listVersion >= held.seenVersion) {
                    release(held);
                    state.freeRoom();
                    changed = true;
                }
            }
        }
        return changed;
    }
}
