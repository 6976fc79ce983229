package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlacedPodSet;
import dev.muster.scheduler.core.model.FlavorNodes;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/** Makes what a round reserved decisions and their holds. */
final class GangDecisions {
    private static final int SURPLUS_PER_DECISION = 1_000;

    private final DomainState state;
    private final Overlay overlay;
    private final KeptRoom kept;
    private final Decisions decisions;

    GangDecisions(DomainState state, Overlay overlay, KeptRoom kept, Decisions decisions) {
        this.state = state;
        this.overlay = overlay;
        this.kept = kept;
        this.decisions = decisions;
    }

    /** All that is reserved, as the minimum of a gang. */
    void place(Workload workload, ClusterState cluster) {
        place(workload, cluster, overlay.reservations());
    }

    /** A part of what is reserved, as the minimum of a gang. */
    void place(Workload workload, ClusterState cluster, List<Reservation> reserved) {
        decide(workload, cluster, true, reserved);
    }

    /** All that is reserved, as surplus. It stands alone: a decision names so many members that its record stays small. */
    void placeSurplus(Workload workload, ClusterState cluster) {
        List<List<Reservation>> parts = parts(overlay.reservations());
        for (List<Reservation> part : parts) {
            decide(workload, cluster, false, part);
        }
    }

    private static List<List<Reservation>> parts(List<Reservation> reservations) {
        List<List<Reservation>> parts = new ArrayList<>();
        for (int from = 0; from < reservations.size(); from += SURPLUS_PER_DECISION) {
            parts.add(reservations.subList(from, Math.min(from + SURPLUS_PER_DECISION, reservations.size())));
        }
        return parts;
    }

    private void decide(Workload workload, ClusterState cluster, boolean gang, List<Reservation> reserved) {
        kept.end(workload);
        long deadlineMillis = state.timeMillis()
                + state.policy().bindTimeoutMillis()
                + (anyClaims(reserved) ? state.policy().volumeBindTimeoutMillis() : 0);
        List<PodSet> podSets = workload.podSetsInOrder();
        List<NodePlacement> nodes = nodes(reserved, podSets);
        List<PlacedPodSet> placedPodSets = new ArrayList<>(podSets.size());
        podSets.forEach(podSet -> placedPodSets.add(placed(workload, podSet)));
        long attempt = state.nextAttempt(workload);
        overlay.commit(workload, cluster.name(), decisions.nextId(), gang, deadlineMillis, reserved);
        decisions.add(
                workload,
                attempt,
                new Action.PlaceGang(
                        cluster.name(),
                        workload.namespace(),
                        gang,
                        workload.createsPods(),
                        placedPodSets,
                        nodes,
                        deadlineMillis));
    }

    /** Pods that are made for it get what their flavors stand for; of others somebody else wrote what they say. */
    private static PlacedPodSet placed(Workload workload, PodSet podSet) {
        FlavorNodes nodes = workload.createsPods() ? workload.nodesOf(podSet) : null;
        return nodes == null
                ? new PlacedPodSet(podSet.name(), podSet.templateHash())
                : new PlacedPodSet(podSet.name(), podSet.templateHash(), nodes.labels(), nodes.tolerations());
    }

    private static boolean anyClaims(List<Reservation> reserved) {
        for (Reservation reservation : reserved) {
            if (!reservation.claims().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Nodes by name, on each its members by pod set and rank. */
    private static List<NodePlacement> nodes(List<Reservation> reserved, List<PodSet> podSets) {
        List<Reservation> sorted = new ArrayList<>(reserved);
        sorted.sort((one, other) -> {
            int byNode = one.node().id().name().compareTo(other.node().id().name());
            if (byNode != 0 || one.member().podSet() == other.member().podSet()) {
                return byNode != 0 ? byNode : one.member().compareTo(other.member());
            }
            return Integer.compare(
                    podSets.indexOf(one.member().podSet()),
                    podSets.indexOf(other.member().podSet()));
        });
        List<NodePlacement> nodes = new ArrayList<>();
        for (int from = 0, to; from < sorted.size(); from = to) {
            NodeState node = sorted.get(from).node();
            to = from;
            while (to < sorted.size() && sorted.get(to).node() == node) {
                to++;
            }
            nodes.add(new NodePlacement(
                    node.id().name(), node.origin().uid(), members(sorted.subList(from, to), podSets)));
        }
        return nodes;
    }

    private static List<MemberPlacement> members(List<Reservation> sorted, List<PodSet> podSets) {
        MemberPlacement[] members = new MemberPlacement[sorted.size()];
        for (int i = 0; i < members.length; i++) {
            Reservation reservation = sorted.get(i);
            Member member = reservation.member();
            members[i] = new MemberPlacement(
                    podSets.indexOf(member.podSet()),
                    member.index(),
                    member.name(),
                    member.podUid(),
                    Devices.list(reservation.devices()),
                    reservation.numa(),
                    reservation.claims());
        }
        return List.of(members);
    }
}
