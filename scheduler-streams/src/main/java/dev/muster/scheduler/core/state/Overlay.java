package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.NumaPlacement;
import java.util.ArrayList;
import java.util.List;

/**
 * Room taken on trial. What was reserved is either committed as one hold or undone to the last thousandth, so that a gang
 * that does not fit leaves no trace.
 */
public final class Overlay {
    private final DomainState state;
    private final Members members;
    private final List<Reservation> reservations = new ArrayList<>();

    /**
     * Room for one member on one node; devices rising, empty where it asks for none; what it gets of NUMA nodes; what those of
     * its claims are promised that are not bound.
     */
    public record Reservation(
            Member member, NodeState node, int[] devices, NumaPlacement numa, List<ClaimPlacement> claims) {}

    public Overlay(DomainState state, Members members) {
        this.state = state;
        this.members = members;
    }

    /** Takes room for a member on a node where it fits. */
    public void reserve(Member member, NodeState node) {
        reserve(member, node, List.of());
    }

    /** The same, and these volumes for its claims. */
    public void reserve(Member member, NodeState node, List<ClaimPlacement> claims) {
        InternedRequirement requirement = member.requirement();
        NumaPlacement numa =
                node.numaRoom() == null ? NumaPlacement.NONE : node.numaRoom().place(requirement);
        int[] devices = node.chooseDevices(requirement, numa);
        reserve(member, node, devices, devices == null ? numa : node.withDevices(numa, devices), claims);
    }

    /** The same on these devices, of a node whose NUMA nodes do not matter. */
    public void reserve(Member member, NodeState node, int[] devices) {
        reserve(member, node, devices, NumaPlacement.NONE, List.of());
    }

    private void reserve(
            Member member, NodeState node, int[] devices, NumaPlacement numa, List<ClaimPlacement> claims) {
        InternedRequirement requirement = member.requirement();
        if (devices == null) {
            throw new LawBrokenException("no devices left on " + node.id() + " for " + member.name());
        }
        for (int i = 0; i < requirement.resourceCount(); i++) {
            if (node.free(requirement.resource(i)) < requirement.amount(i)) {
                throw new LawBrokenException("not enough " + state.resources.name(requirement.resource(i)) + " on "
                        + node.id() + " for " + member.name());
            }
        }
        state.podTerms.count(requirement, member.seen(), node, 1);
        node.take(requirement, devices, numa);
        node.promise(claims);
        reservations.add(new Reservation(member, node, devices, numa, claims));
    }

    /** How much has been reserved; a point to undo to. */
    public int size() {
        return reservations.size();
    }

    /** Gives back what was reserved since that point, latest first. */
    public void undoTo(int point) {
        while (reservations.size() > point) {
            Reservation last = reservations.removeLast();
            state.podTerms.count(last.member().requirement(), last.member().seen(), last.node(), -1);
            last.node().give(last.member().requirement(), last.devices(), last.numa());
            last.node().withdraw(last.claims());
        }
    }

    /** What is reserved now. */
    public List<Reservation> reservations() {
        return List.copyOf(reservations);
    }

    /** Reserves again what had been reserved before it was undone. */
    public void redo(List<Reservation> undone) {
        for (Reservation reservation : undone) {
            Member member = reservation.member();
            state.podTerms.count(member.requirement(), member.seen(), reservation.node(), 1);
            reservation.node().take(member.requirement(), reservation.devices(), reservation.numa());
            reservation.node().promise(reservation.claims());
            reservations.add(reservation);
        }
    }

    /**
     * Turns what is reserved into room that is kept for a workload while pods leave.
     *
     * @param victims uids of pods that are evicted for it
     * @param deadlineMillis when it is kept no longer; where there are victims, until when their eviction must be answered
     */
    public void keep(Workload workload, String cluster, DecisionId id, List<String> victims, long deadlineMillis) {
        Kept kept = new Kept(victims, !victims.isEmpty(), 0);
        members.kept().keep(workload, cluster, id, deadlineMillis, kept, reservations());
        reservations.clear();
        if (kept.asked) {
            workload.decision = id;
        }
    }

    /** Turns what is reserved, or its first part, into the hold of a decision. All of it is for one workload in one cluster. */
    public void commit(
            Workload workload,
            String cluster,
            DecisionId decision,
            boolean gang,
            long deadlineMillis,
            List<Reservation> reserved) {
        List<PodSet> podSets = workload.podSetsInOrder();
        Hold hold = new Hold(decision, workload, workload.attempt, cluster, gang, deadlineMillis, null);
        workload.cluster = cluster;
        workload.decision = decision;
        boolean moving = false;
        for (Reservation reservation : reserved) {
            HeldMember held = members.holds.hold(hold, podSets, reservation);
            moving |= state.podTerms.moves(cluster, held.counted);
            held.member.held = held;
        }
        state.recountHeld(workload, hold);
        hold.members.sort(null);
        if (reserved.size() == reservations.size()) {
            reservations.clear();
        } else {
            reservations.subList(0, reserved.size()).clear(); // parts are committed in the order they were reserved in
        }
        state.holds.put(decision, hold);
        workload.add(hold);
        members.holds.changed(hold);
        if (workload.asksForPlace(reserved)) {
            workload.lastPlaces = PlacedRanks.of(workload);
        }
        if (moving) {
            state.freeRoom(); // pods that must be near these, or spread with them, may find a place now
        }
    }
}
