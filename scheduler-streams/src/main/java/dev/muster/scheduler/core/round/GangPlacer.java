package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds room for members of a workload in one cluster.
 *
 * <p>Each pod goes to the feasible node with the best score, ties to the node with the smaller ordinal. Only nodes that
 * changed are scored again ({@link Candidates}), which gives the same placement as looking at every node for every pod,
 * since a pod changes no other node's score.
 */
final class GangPlacer {
    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    private final CandidateIndex index;

    GangPlacer(DomainState state, Profile profile, Overlay overlay, CandidateIndex index) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.index = index;
    }

    /** Members that are interchangeable, in the order of their ranks. */
    private record Batch(PodSet podSet, InternedRequirement requirement, List<Member> members) {}

    /**
     * What kept a gang out.
     *
     * @param requirement the requirement that found too little room
     * @param wanted pods with it that had to be placed
     * @param placed how many of them found room
     * @param found how many pods of the gang found room, whatever they require
     */
    record Shortage(InternedRequirement requirement, int wanted, int placed, int found) {}

    /**
     * Reserves room for the members that the minimum still lacks: first each role's own minimum, hardest role first, then
     * others in the order of the roles' priority until the whole minimum is met. Null when all found room; otherwise
     * nothing stays reserved.
     */
    Shortage placeMinimum(Workload workload, ClusterState cluster) {
        int start = overlay.size();
        int missing = workload.minMember() - workload.ready();
        int wantedInAll = missing;
        List<Batch> first = new ArrayList<>();
        List<Batch> later = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            int own = Math.max(0, workload.taskMinimum(podSet) - podSet.ready());
            List<Member> waiting = List.copyOf(podSet.waiting());
            first.addAll(batches(podSet, waiting.subList(0, Math.min(own, waiting.size()))));
            later.addAll(batches(podSet, waiting.subList(Math.min(own, waiting.size()), waiting.size())));
        }
        for (Batch batch : hardestFirst(first, cluster)) {
            int placed = place(batch, batch.members().size(), cluster);
            if (placed < batch.members().size()) {
                int found = overlay.size() - start;
                overlay.undoTo(start);
                return shortage(
                        first,
                        later,
                        wantedInAll,
                        new Shortage(batch.requirement(), batch.members().size(), placed, found));
            }
            missing -= placed;
        }
        Shortage blocked = null;
        for (Batch batch : byRolePriority(later, workload, cluster)) {
            if (missing <= 0) {
                break;
            }
            int wanted = Math.min(missing, batch.members().size());
            int placed = place(batch, wanted, cluster);
            missing -= placed;
            if (placed < wanted && blocked == null) {
                blocked = new Shortage(batch.requirement(), wanted, placed, 0);
            }
        }
        if (missing <= 0) {
            return null;
        }
        int found = overlay.size() - start;
        overlay.undoTo(start);
        return shortage(
                first,
                later,
                wantedInAll,
                new Shortage(blocked.requirement(), blocked.wanted(), blocked.placed(), found));
    }

    /** Where all pods are alike, the whole gang is what found too little room; otherwise the batch that did. */
    private static Shortage shortage(List<Batch> first, List<Batch> later, int wantedInAll, Shortage ofBatch) {
        InternedRequirement requirement = ofBatch.requirement();
        boolean uniform = first.stream().allMatch(batch -> batch.requirement() == requirement)
                && later.stream().allMatch(batch -> batch.requirement() == requirement);
        return uniform && wantedInAll >= ofBatch.wanted()
                ? new Shortage(requirement, wantedInAll, ofBatch.found(), ofBatch.found())
                : ofBatch;
    }

    /** Reserves room for as many waiting members as fit, one by one; null when all did. */
    Shortage placeSurplus(Workload workload, ClusterState cluster) {
        List<Batch> batches = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            batches.addAll(batches(podSet, List.copyOf(podSet.waiting())));
        }
        Shortage shortage = null;
        for (Batch batch : byRolePriority(batches, workload, cluster)) {
            int placed = place(batch, batch.members().size(), cluster);
            if (placed < batch.members().size() && shortage == null) {
                shortage = new Shortage(batch.requirement(), batch.members().size(), placed, placed);
            }
        }
        return shortage;
    }

    private static List<Batch> batches(PodSet podSet, List<Member> members) {
        Map<InternedRequirement, List<Member>> byRequirement = new LinkedHashMap<>();
        for (Member member : members) {
            byRequirement
                    .computeIfAbsent(member.requirement(), requirement -> new ArrayList<>())
                    .add(member);
        }
        List<Batch> batches = new ArrayList<>();
        byRequirement.forEach((requirement, same) -> batches.add(new Batch(podSet, requirement, same)));
        return batches;
    }

    /** Those with the fewest places to go come first: what is left for them shrinks fastest. */
    private List<Batch> hardestFirst(List<Batch> batches, ClusterState cluster) {
        if (batches.size() < 2) {
            return batches;
        }
        Map<Batch, Long> room = new LinkedHashMap<>();
        for (Batch batch : batches) {
            long places = 0;
            for (NodeState node : cluster.nodes()) {
                places += Candidates.room(profile, batch.requirement(), node);
            }
            room.put(batch, places);
        }
        List<Batch> sorted = new ArrayList<>(batches);
        sorted.sort(Comparator.comparingLong(room::get)); // stable: equals stay in the order of roles and ranks
        return sorted;
    }

    private List<Batch> byRolePriority(List<Batch> batches, Workload workload, ClusterState cluster) {
        List<Batch> sorted = new ArrayList<>(hardestFirst(batches, cluster));
        sorted.sort(Comparator.comparingInt(batch -> -workload.taskPriority(batch.podSet())));
        return sorted;
    }

    private int place(Batch batch, int wanted, ClusterState cluster) {
        Candidates candidates = index.of(state, profile, cluster, batch.requirement());
        int placed = 0;
        while (placed < wanted) {
            NodeState best = candidates.best();
            if (best == null) {
                break;
            }
            overlay.reserve(batch.members().get(placed), best);
            placed++;
        }
        return placed;
    }
}
