package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Looks for room for a small gang of mixed pods by going back where it leads nowhere, after one pass has failed: the best
 * node for a pod can be the only one for another, and any members of a role will do for its minimum. Complete for gangs that
 * lack up to 8 pods where each kind has at most 16 nodes to go to, as long as that takes at most 8,192 steps, for the first
 * 16 gangs of a round that need it; beyond that it may find nothing where there is something. Pods whose place depends on
 * others are left alone.
 *
 * <p>Pods of one kind are alike, so they are tried on nodes in one order only; devices with as much left are alike, too.
 */
final class ExactSearch {
    private static final int MOST_PODS = 8;
    private static final int MOST_WAITING = 64;
    private static final int MOST_NODES = 16;
    private static final int MOST_STEPS = 8_192;
    private static final int MOST_SEARCHES = 16;

    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    private final AffinePlacer affine;
    private int steps;
    private int searches;

    ExactSearch(DomainState state, Profile profile, Overlay overlay, AffinePlacer affine) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.affine = affine;
    }

    /** A batch, and the nodes it can go to, best first. */
    private record Kind(Batch batch, List<NodeState> nodes) {}

    /** Reserves room for what the minimum of a workload lacks, in all and of each role; or leaves no trace. */
    boolean place(Workload workload, ClusterState cluster) {
        Minimum minimum = new Minimum(workload);
        List<Member> waiting = new ArrayList<>();
        workload.podSetsInOrder().forEach(podSet -> waiting.addAll(podSet.waiting()));
        if (minimum.missing() > MOST_PODS || waiting.size() > MOST_WAITING || searches == MOST_SEARCHES) {
            return false;
        }
        List<Batch> batches = Batch.of(waiting, state.podTerms(), cluster);
        if (batches.size() < 2 && !batches.getFirst().requirement().sharesGpu()) {
            return false;
        }
        List<Kind> kinds = new ArrayList<>();
        for (Batch batch : batches) {
            if (affine.concerns(batch.requirement(), batch.stance())) {
                return false;
            }
            List<NodeState> nodes = nodes(batch, cluster);
            if (!nodes.isEmpty()) {
                kinds.add(new Kind(batch, nodes));
            }
        }
        // Stable: equals stay in the order of roles and ranks.
        kinds.sort(Comparator.comparingInt(kind -> kind.nodes().size()));
        if (!possible(kinds, 0, 0, minimum)) {
            return false;
        }
        searches++;
        steps = 0;
        int start = overlay.size();
        boolean placed = place(kinds, 0, 0, 0, minimum);
        if (!placed) {
            overlay.undoTo(start);
        }
        return placed;
    }

    /** Whether the members from one on are enough for what is missing. */
    private static boolean possible(List<Kind> kinds, int at, int member, Minimum minimum) {
        Minimum left = minimum.copy();
        for (int i = at; i < kinds.size(); i++) {
            List<Member> members = kinds.get(i).batch().members();
            left.placed(members.subList(i == at ? member : 0, members.size()));
        }
        return left.met();
    }

    private List<NodeState> nodes(Batch batch, ClusterState cluster) {
        List<NodeState> nodes = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            if (Candidates.room(profile, batch.requirement(), node) > 0) {
                nodes.add(node);
            }
        }
        InternedRequirement requirement = batch.requirement();
        nodes.sort(Comparator.comparingLong((NodeState node) -> -profile.score(requirement, node, state))
                .thenComparingInt(NodeState::ordinal));
        return nodes.subList(0, Math.min(MOST_NODES, nodes.size()));
    }

    /** Places members of a kind from one on, on nodes from one on, then of the other kinds, until the minimum is met. */
    private boolean place(List<Kind> kinds, int at, int member, int from, Minimum minimum) {
        if (minimum.met()) {
            return true;
        }
        if (at == kinds.size() || !possible(kinds, at, member, minimum)) {
            return false;
        }
        Kind kind = kinds.get(at);
        for (int index = from;
                member < kind.batch().size() && index < kind.nodes().size();
                index++) {
            NodeState node = kind.nodes().get(index);
            if (Fit.count(kind.batch().requirement(), node) == 0) {
                continue;
            }
            for (int[] devices : choices(kind.batch().requirement(), node)) {
                if (++steps > MOST_STEPS) {
                    return false;
                }
                int before = overlay.size();
                Member next = kind.batch().members().get(member);
                if (devices == null) {
                    overlay.reserve(next, node);
                } else {
                    overlay.reserve(next, node, devices);
                }
                Minimum less = minimum.copy();
                less.placed(List.of(next));
                if (place(kinds, at, member + 1, index, less)) {
                    return true;
                }
                overlay.undoTo(before);
            }
        }
        return place(kinds, at + 1, 0, 0, minimum);
    }

    /** What a pod can take of a node's GPUs: one choice (null) but for shares, which differ by what is left of the device. */
    private static List<int[]> choices(InternedRequirement requirement, NodeState node) {
        int share = requirement.shareMilli(node);
        List<int[]> choices = new ArrayList<>();
        if (share == 0 || node.numaRoom() != null) {
            choices.add(null); // the NUMA nodes settle which device it is
            return choices;
        }
        List<Integer> left = new ArrayList<>();
        for (int device = 0; share > 0 && device < node.devices().present(); device++) {
            int free = node.devices().freeMilli(device);
            boolean usable = free >= share
                    && !node.devices().isClosed(device)
                    && (free < Devices.WHOLE || node.devices().wholeFree() > 0);
            if (usable && !left.contains(free)) {
                left.add(free);
                choices.add(new int[] {device});
            }
        }
        return choices;
    }
}
