package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.TermGroup;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
    private final Profiles profiles;
    private final Overlay overlay;
    private final CandidateIndex index;
    private final Map<Profile, Ways> waysBy = new HashMap<>();
    /** By the profile of the workload that is being placed. */
    private Ways ways;

    GangPlacer(DomainState state, Profiles profiles, Overlay overlay, CandidateIndex index) {
        this.state = state;
        this.profiles = profiles;
        this.overlay = overlay;
        this.index = index;
    }

    /** The ways of placing by one profile. */
    private record Ways(
            AffinePlacer affine,
            BatchPlacer batches,
            TopologyPlacer topology,
            CompactPlacer compact,
            ExactSearch exact) {}

    private Ways waysFor(Workload workload) {
        Profile profile = profiles.of(workload);
        Ways known = waysBy.get(profile);
        if (known == null) {
            known = by(profile);
            waysBy.put(profile, known);
        }
        return known;
    }

    private Ways by(Profile profile) {
        AffinePlacer affine = new AffinePlacer(state, profile, overlay);
        BatchPlacer batches = new BatchPlacer(state, profile, overlay, index, affine);
        return new Ways(
                affine,
                batches,
                new TopologyPlacer(state.podTerms(), overlay, batches),
                new CompactPlacer(state, profile, overlay, batches),
                new ExactSearch(state, profile, overlay, affine));
    }

    /**
     * What kept a gang out.
     *
     * @param requirement the requirement that found too little room
     * @param wanted pods with it that had to be placed
     * @param placed how many of them found room
     * @param found how many pods of the gang found room, whatever they require
     * @param stance what other pods' affinity terms make of them
     * @param noDomain why no domain would do; null where the place in the topology did not matter
     */
    record Shortage(
            InternedRequirement requirement, int wanted, int placed, int found, Stance stance, NoDomain noDomain) {
        /** Of pods that may be anywhere in the topology. */
        Shortage(InternedRequirement requirement, int wanted, int placed, int found, Stance stance) {
            this(requirement, wanted, placed, found, stance, null);
        }

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
     * tried as a whole. Where a small gang of mixed pods finds no room in one pass, it is looked for by going back.
     */
    Shortage placeMinimum(Workload workload, ClusterState cluster) {
        ways = waysFor(workload);
        if (TopologyPlacer.concerns(workload)) {
            return shortage(ways.topology().placeMinimum(workload, cluster));
        }
        if (ways.compact().place(workload, cluster)) {
            return null;
        }
        List<Batch> first = new ArrayList<>();
        List<Batch> later = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            int own = Math.max(0, workload.taskMinimum(podSet) - podSet.ready());
            List<Member> waiting = podSet.waiting();
            first.addAll(Batch.of(waiting.subList(0, Math.min(own, waiting.size())), state.podTerms(), cluster));
            later.addAll(Batch.of(
                    waiting.subList(Math.min(own, waiting.size()), waiting.size()), state.podTerms(), cluster));
        }
        ways.affine().anchorAt(null);
        Shortage shortage = place(workload, cluster, first, later);
        TermGroup together = ways.affine().anchored();
        if (shortage == null) {
            return null;
        }
        if (together == null) {
            return ways.exact().place(workload, cluster) ? null : shortage;
        }
        Batch smallest = smallestOf(first, later, together);
        int wanted = first.contains(smallest) ? smallest.members().size() : 1;
        List<String> places = ways.affine().places(together, smallest.requirement(), wanted, cluster);
        for (String place : places.subList(0, Math.min(MOST_PLACES, places.size()))) {
            ways.affine().anchorAt(place);
            if (place(workload, cluster, first, later) == null) {
                ways.affine().anchorAt(null);
                return null;
            }
        }
        ways.affine().anchorAt(null);
        return shortage;
    }

    private static Shortage shortage(Kept kept) {
        return kept == null
                ? null
                : new Shortage(kept.requirement(), kept.wanted(), 0, 0, kept.stance(), kept.noDomain());
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
        List<Batch> open =
                first.isEmpty() ? first : new ArrayList<>(ways.batches().hardestFirst(first, cluster));
        Shortage failed = null;
        // Those that follow others are tried again after them.
        for (boolean progress = true; progress && !open.isEmpty(); ) {
            progress = false;
            for (Batch batch : List.copyOf(open)) {
                int before = overlay.size();
                int placed = ways.batches().place(batch, batch.members().size(), cluster);
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
            int placed = ways.batches().place(batch, wanted, cluster);
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
    Shortage placeSurplus(Workload workload, ClusterState cluster, int most) {
        ways = waysFor(workload);
        if (TopologyPlacer.concerns(workload)) {
            return shortage(ways.topology().placeSurplus(workload, cluster));
        }
        List<Batch> waiting = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            waiting.addAll(Batch.of(podSet.waiting(), state.podTerms(), cluster));
        }
        Shortage shortage = null;
        int left = most;
        for (Batch batch : byRolePriority(waiting, workload, cluster)) {
            int wanted = Math.min(left, batch.members().size());
            int placed = ways.batches().place(batch, wanted, cluster);
            left -= placed;
            if (placed < wanted && shortage == null) {
                shortage = new Shortage(batch.requirement(), batch.members().size(), placed, placed, batch.stance());
            }
        }
        return shortage;
    }

    private List<Batch> byRolePriority(List<Batch> unsorted, Workload workload, ClusterState cluster) {
        if (unsorted.size() < 2) {
            return unsorted;
        }
        List<Batch> sorted = new ArrayList<>(ways.batches().hardestFirst(unsorted, cluster));
        sorted.sort(Comparator.comparingInt(batch -> -workload.taskPriority(batch.podSet())));
        return sorted;
    }
}
