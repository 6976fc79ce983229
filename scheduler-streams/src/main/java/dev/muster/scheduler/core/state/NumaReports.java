package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.numa.NumaLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings what reports say is in use together with what pods are known to have of NUMA nodes. Reports name amounts, not pods,
 * and come later than the news of pods or earlier.
 *
 * <ul>
 *   <li>Where a report shows less in use than pods have, it is late: what pods have counts.
 *   <li>Where it shows more, somebody unknown has the rest.
 *   <li>A pod that is found bound may be that somebody. What it has of the rest is its own from then on.
 *   <li>A pod whose part the report does not show, where it shows as much in other zones, has it there: the kubelet chose
 *       otherwise than foreseen.
 * </ul>
 */
final class NumaReports {
    private final DomainState state;

    NumaReports(DomainState state) {
        this.state = state;
    }

    /** Takes a fresh report. */
    void reported(NodeState node, Origin origin, NumaFacts report) {
        NumaFacts facts = state.sharing.numa(report);
        Origin kept = state.sharing.origin(origin, node.id().name(), origin.uid());
        node.numa(kept, facts, state.interner.topologyManager(facts), List.of());
        NumaRoom room = node.numaRoom();
        if (room == null) {
            return;
        }
        long[] inUse = room.layout().inUse(facts);
        long[] left = inUse.clone();
        List<PodState> unseen = new ArrayList<>();
        for (PodState pod : node.pods.values()) {
            if (pod.numa.isEmpty() || !take(left, pod.numa, room.layout())) {
                unseen.add(pod);
            }
        }
        for (PodState pod : unseen) {
            NumaPlacement found = room.place(pod.requirement, left);
            if (found.isEmpty() && pod.numa.isEmpty()) {
                found = room.place(pod.requirement);
            }
            if (!found.isEmpty()) {
                take(left, found, room.layout());
                room.give(pod.numa);
                pod.numa = found;
                room.take(found);
                state.touch(pod);
            }
        }
        room.reconcile(inUse);
        node.numaRecounted();
    }

    /** A kubelet turned a pod away that was foreseen to fit. */
    void turnedAway(InternedRequirement requirement, NodeId where) {
        NodeState node = state.node(where);
        if (node != null) {
            node.couldNotAlign(List.of(requirement));
            state.touch(node);
        }
    }

    /** A pod left a node: without a report nobody would say that its NUMA nodes have more left now. */
    void left(NodeState node) {
        if (node.numaRoom() == null && node.alignAgain()) {
            state.touch(node);
        }
    }

    /** Takes a pod's part from what is in use, if all of it is there. */
    private static boolean take(long[] inUse, NumaPlacement part, NumaLayout layout) {
        for (NumaShare share : part.shares()) {
            int cell = layout.cell(share.zone(), share.resource());
            if (cell < 0 || inUse[cell] < share.amount()) {
                return false;
            }
        }
        for (NumaShare share : part.shares()) {
            inUse[layout.cell(share.zone(), share.resource())] -= share.amount();
        }
        return true;
    }

    /**
     * What a pod has of the NUMA nodes of a node where it was found bound: what its annotation says, else what somebody
     * unknown has, else what its kubelet would give it.
     */
    NumaPlacement ofFound(PodState pod, NodeState node) {
        NumaPlacement annotated = pod.facts.numa();
        NumaRoom room = node.numaRoom();
        if (room == null || !pod.requirement.aligned()) {
            return pod.requirement.aligned() ? annotated : NumaPlacement.NONE;
        }
        NumaPlacement found = annotated.isEmpty() ? room.placeInUnknown(pod.requirement) : annotated;
        if (found.isEmpty()) {
            found = room.place(pod.requirement);
        }
        if (room.explain(found)) {
            state.touch(node);
        }
        return found;
    }
}
