package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.TermGroup;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds room for members of a workload in one cluster.
 *
 * <p>Each pod goes to the feasible node with the best score, ties to the node with the smaller ordinal. Only nodes that
 * changed are scored again ({@link Candidates}), which gives the same placement as looking at every node for every pod,
 * since a pod changes no other node's score.
 */
final class GangPlacer {
    private static final int MOST_PLACES = 64;

    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    private final CandidateIndex index;
    private final AffinePlacer affine;

    GangPlacer(DomainState state, Profile profile, Overlay overlay, CandidateIndex index) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.index = index;
        this.affine = new AffinePlacer(state, profile, overlay);
    }

    /** Members that are interchangeable, in the order of their ranks. */
    private record Batch(PodSet podSet, InternedRequirement requirement, Stance stance, List<Member> members) {
        /** Whether it asks to be near pods, which may be placed only with this gang. */
        boolean follows() {
            return !requirement.requirement().pods().affinity().isEmpty();
        }
    }

    /**
     * What kept a gang out.
     *
     * @param requirement the requirement that found too little room
     * @param wanted pods with it that had to be placed
     * @param placed how many of them found room
     * @param found how many pods of the gang found room, whatever they require
     * @param stance what other pods' affinity terms make of them
     */
    record Shortage(InternedRequirement requirement, int wanted, int placed, int found, Stance stance) {
        /** Of pods that other pods' terms do not matter to. */
        Shortage(InternedRequirement requirement, int wanted, int placed, int found) {
            this(requirement, wanted, placed, found, Stance.NONE);
        }
    }

    /**
     * Reserves room for the members that the minimum still lacks: first each role's own minimum, hardest role first, then
     * others in the order of the roles' priority until the whole minimum is met. Null when all found room; otherwise
     * nothing stays reserved.
     *
     * <p>Where some of them want to be together by affinity and the place that looked best was too small, other places are
     * tried as a whole.
     */
    Shortage placeMinimum(Workload workload, ClusterState cluster) {
        List<Batch> first = new ArrayList<>();
        List<Batch> later = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            int own = Math.max(0, workload.taskMinimum(podSet) - podSet.ready());
            List<Member> waiting = List.copyOf(podSet.waiting());
            first.addAll(batches(podSet, waiting.subList(0, Math.min(own, waiting.size()))));
            later.addAll(batches(podSet, waiting.subList(Math.min(own, waiting.size()), waiting.size())));
        }
        affine.anchorAt(null);
        Shortage shortage = place(workload, cluster, first, later);
        TermGroup together = affine.anchored();
        if (shortage == null || together == null) {
            return shortage;
        }
        Batch smallest = smallestOf(first, later, together);
        int wanted = first.contains(smallest) ? smallest.members().size() : 1;
        List<String> places = affine.places(together, smallest.requirement(), wanted, cluster);
        for (String place : places.subList(0, Math.min(MOST_PLACES, places.size()))) {
            affine.anchorAt(place);
            if (place(workload, cluster, first, later) == null) {
                affine.anchorAt(null);
                return null;
            }
        }
        affine.anchorAt(null);
        return shortage;
    }

    private Batch smallestOf(List<Batch> first, List<Batch> later, TermGroup together) {
        return Stream.concat(first.stream(), later.stream())
                .filter(batch -> state.podTerms().affinityOf(batch.requirement(), batch.stance()) == together)
                .min(Comparator.comparingInt(batch -> batch.members().size()))
                .orElseThrow();
    }

    private Shortage place(Workload workload, ClusterState cluster, List<Batch> first, List<Batch> later) {
        int start = overlay.size();
        int missing = workload.minMember() - workload.ready();
        int wantedInAll = missing;
        List<Batch> open = new ArrayList<>(hardestFirst(first, cluster));
        Shortage failed = null;
        // Those that follow others are tried again after them.
        for (boolean progress = true; progress && !open.isEmpty(); ) {
            progress = false;
            for (Batch batch : List.copyOf(open)) {
                int before = overlay.size();
                int placed = place(batch, batch.members().size(), cluster);
                if (placed == batch.members().size()) {
                    missing -= placed;
                    open.remove(batch);
                    progress = true;
                    continue;
                }
                failed = new Shortage(
                        batch.requirement(), batch.members().size(), placed, overlay.size() - start, batch.stance());
                overlay.undoTo(before);
                if (!batch.follows()) {
                    progress = false;
                    break;
                }
            }
        }
        if (!open.isEmpty()) {
            overlay.undoTo(start);
            return shortage(first, later, wantedInAll, failed);
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
                blocked = new Shortage(batch.requirement(), wanted, placed, 0, batch.stance());
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
                new Shortage(blocked.requirement(), blocked.wanted(), blocked.placed(), found, blocked.stance()));
    }

    /** Where all pods are alike, the whole gang is what found too little room; otherwise the batch that did. */
    private static Shortage shortage(List<Batch> first, List<Batch> later, int wantedInAll, Shortage ofBatch) {
        InternedRequirement requirement = ofBatch.requirement();
        boolean uniform = first.stream().allMatch(batch -> batch.requirement() == requirement)
                && later.stream().allMatch(batch -> batch.requirement() == requirement);
        return uniform && wantedInAll >= ofBatch.wanted()
                ? new Shortage(requirement, wantedInAll, ofBatch.found(), ofBatch.found(), ofBatch.stance())
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
                shortage = new Shortage(batch.requirement(), batch.members().size(), placed, placed, batch.stance());
            }
        }
        return shortage;
    }

    private List<Batch> batches(PodSet podSet, List<Member> members) {
        Map<Kind, List<Member>> byKind = new LinkedHashMap<>();
        for (Member member : members) {
            Kind kind = new Kind(member.requirement(), state.podTerms().stance(member));
            byKind.computeIfAbsent(kind, same -> new ArrayList<>()).add(member);
        }
        List<Batch> batches = new ArrayList<>();
        byKind.forEach((kind, same) -> batches.add(new Batch(podSet, kind.requirement(), kind.stance(), same)));
        return batches;
    }

    private record Kind(InternedRequirement requirement, Stance stance) {}

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
        // Stable: equals stay in the order of roles and ranks. Those that follow others come after them.
        sorted.sort(Comparator.comparing(Batch::follows).thenComparingLong(room::get));
        return sorted;
    }

    private List<Batch> byRolePriority(List<Batch> batches, Workload workload, ClusterState cluster) {
        List<Batch> sorted = new ArrayList<>(hardestFirst(batches, cluster));
        sorted.sort(Comparator.comparingInt(batch -> -workload.taskPriority(batch.podSet())));
        return sorted;
    }

    private int place(Batch batch, int wanted, ClusterState cluster) {
        if (affine.concerns(batch.requirement(), batch.stance())) {
            return affine.place(batch.members(), wanted, batch.requirement(), batch.stance(), cluster);
        }
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
