package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.round.GangParts.SubGroup;
import dev.muster.scheduler.core.round.GangParts.Wishing;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PlacedRanks;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.SubGroupTree;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts a gang that starts anew as a whole back on the nodes it had, rank by rank: what was near stays near, and what is on
 * their disks is found again. Only where all of these are free, and what the gang asks for holds there still; otherwise it is
 * placed like any other.
 */
final class LastPlaces {
    private final Workload workload;
    private final ClusterState cluster;
    private final PodTerms terms;
    private final Overlay overlay;
    private final BatchPlacer batches;
    /** Where members would be; only looked up. */
    private final Map<Member, NodeState> nodes = new HashMap<>();

    LastPlaces(Workload workload, ClusterState cluster, PodTerms terms, Overlay overlay, BatchPlacer batches) {
        this.workload = workload;
        this.cluster = cluster;
        this.terms = terms;
        this.overlay = overlay;
        this.batches = batches;
    }

    /** Reserves room for all ranks where they were, or leaves no trace. */
    boolean placeAgain() {
        if (workload.lastPlaces().isEmpty() || workload.ready() > 0) {
            return false;
        }
        int start = overlay.size();
        boolean placed = reserve() && minimumIsMet() && wishesHold();
        if (!placed) {
            overlay.undoTo(start);
        }
        return placed;
    }

    private boolean reserve() {
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (Batch batch : Batch.of(podSet.waiting(), terms, cluster)) {
                for (Member member : batch.members()) {
                    NodeState node = nodeOf(member);
                    if (node == null) {
                        continue;
                    }
                    if (!batches.placeOn(batch, member, node)) {
                        return false;
                    }
                    nodes.put(member, node);
                }
            }
        }
        return true;
    }

    private NodeState nodeOf(Member member) {
        for (PlacedRanks ranks : workload.lastPlaces()) {
            if (ranks.covers(member)) {
                return cluster.node(ranks.node());
            }
        }
        return null;
    }

    private boolean minimumIsMet() {
        Minimum minimum = new Minimum(workload);
        minimum.placed(all().stream().filter(nodes::containsKey).toList());
        GangParts parts = new GangParts(workload);
        for (SubGroupPolicy policy : workload.subGroups()) {
            long complete = parts.subGroups().stream()
                    .filter(group -> group.policy() == policy
                            && group.waiting().stream()
                                            .filter(nodes::containsKey)
                                            .count()
                                    >= policy.size())
                    .count();
            if (complete < policy.minSubGroups()) {
                return false;
            }
        }
        return minimum.met() && (workload.tree() == null || isMet(workload.tree()));
    }

    private boolean isMet(SubGroupTree subGroup) {
        if (subGroup.isLeaf()) {
            return members(subGroup).size() >= subGroup.needed();
        }
        return subGroup.inside().stream().filter(this::isMet).count() >= subGroup.needed();
    }

    private List<Member> members(SubGroupTree subGroup) {
        List<Member> members = new ArrayList<>();
        PodSet podSet = subGroup.isLeaf() ? workload.podSet(subGroup.name()) : null;
        if (podSet != null) {
            podSet.waiting().stream().filter(nodes::containsKey).forEach(members::add);
        }
        subGroup.inside().forEach(inside -> members.addAll(members(inside)));
        return members;
    }

    // ---- what it asks for

    private boolean wishesHold() {
        GangParts parts = new GangParts(workload);
        if (workload.topology() != null && !holds(Wish.of(workload.topology(), cluster), all())) {
            return false;
        }
        if (workload.wholePlace().given() && !holds(workload.wholePlace(), all())) {
            return false;
        }
        for (SubGroup group : parts.subGroups()) {
            if (group.policy().topology() != null && !holds(Wish.of(group.policy(), cluster), group.waiting())) {
                return false;
            }
        }
        for (Wishing wishing : parts.wishing()) {
            if (!holds(wishing.asked(), wishing.waiting())) {
                return false;
            }
        }
        return workload.tree() == null || holdsIn(workload.tree());
    }

    private boolean holdsIn(SubGroupTree subGroup) {
        return (!subGroup.place().given() || holds(subGroup.place(), members(subGroup)))
                && subGroup.inside().stream().allMatch(this::holdsIn);
    }

    private boolean holds(PodSetTopology asked, List<Member> members) {
        return holds(Wish.of(asked, cluster), members);
    }

    private boolean holds(Wish wish, List<Member> members) {
        return wish != null
                && wish.isGranted(members.stream().filter(nodes::containsKey).toList(), nodes::get);
    }

    private List<Member> all() {
        List<Member> all = new ArrayList<>();
        workload.podSetsInOrder().forEach(podSet -> all.addAll(podSet.waiting()));
        return all;
    }
}
