package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.DomainSearch.Part;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reserves room for batches: anywhere in a cluster, or in one domain. */
final class BatchPlacer {
    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    private final CandidateIndex index;
    private final AffinePlacer affine;

    BatchPlacer(DomainState state, Profile profile, Overlay overlay, CandidateIndex index, AffinePlacer affine) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.index = index;
        this.affine = affine;
    }

    /** Reserves room for as many members of a batch as wanted, wherever it is; returns how many found it. */
    int place(Batch batch, int wanted, ClusterState cluster) {
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

    /** The same inside a domain of the wish's tree: on as few nodes as possible, ranks along the tree. */
    int place(Batch batch, int wanted, Wish wish, int domain, Scope scope, ClusterState cluster) {
        if (affine.concerns(batch.requirement(), batch.stance())) {
            affine.stayIn(new Scope(wish.tree(), domain), scope);
            int placed = affine.place(batch.members(), wanted, batch.requirement(), batch.stance(), cluster);
            affine.stayIn(null, null);
            return placed;
        }
        Capacity capacity = capacity(batch, wish, scope, cluster);
        int most = (int) Math.min(wanted, capacity.domains()[domain]);
        int placed = 0;
        for (Part part : DomainSearch.divide(wish, domain, most, capacity)) {
            NodeState node = wish.tree().node(part.node());
            for (int i = 0; i < part.pods() && placed < most; i++) {
                if (Fit.count(batch.requirement(), node) == 0) {
                    return placed; // what takes room beside the pods themselves was counted once for all of them
                }
                overlay.reserve(batch.members().get(placed), node);
                placed++;
            }
        }
        return placed;
    }

    /** Whether counting what fits on nodes tells where such pods may be: other pods and volumes have no say. */
    boolean counts(Batch batch) {
        return !affine.concerns(batch.requirement(), batch.stance());
    }

    /** Reserves room for one of a batch on one node; false where there is none, or other pods have a say. */
    boolean placeOn(Batch batch, Member member, NodeState node) {
        boolean free = !affine.concerns(batch.requirement(), batch.stance())
                && Candidates.room(profile, batch.requirement(), node) > 0;
        if (free) {
            overlay.reserve(member, node);
        }
        return free;
    }

    /** How many such pods there is room for by now, in whole slices where there are any. */
    Capacity capacity(Batch batch, Wish wish, Scope scope, ClusterState cluster) {
        if (scope == null || scope.tree() == wish.tree()) {
            return index.counts(profile, cluster, wish.tree(), batch.requirement(), wish.slices());
        }
        Capacity within = index.counts(profile, cluster, wish.tree(), batch.requirement(), List.of())
                .within(wish.tree(), scope);
        return wish.slices().isEmpty() ? within : within.inSlices(wish.tree(), wish.slices());
    }

    /** Reserves room for all of them inside a domain, or for none. */
    boolean placeAll(List<Batch> batches, Wish wish, int domain, Scope scope, ClusterState cluster) {
        int start = overlay.size();
        for (Batch batch : hardestFirst(batches, wish, domain, scope, cluster)) {
            if (place(batch, batch.size(), wish, domain, scope, cluster) < batch.size()) {
                overlay.undoTo(start);
                return false;
            }
        }
        return true;
    }

    private List<Batch> hardestFirst(List<Batch> batches, Wish wish, int domain, Scope scope, ClusterState cluster) {
        if (batches.size() < 2) {
            return batches;
        }
        Map<Batch, Long> room = new LinkedHashMap<>();
        for (Batch batch : batches) {
            room.put(batch, capacity(batch, wish, scope, cluster).domains()[domain]);
        }
        List<Batch> sorted = new ArrayList<>(batches);
        sorted.sort(Comparator.comparing(Batch::follows).thenComparingLong(room::get));
        return sorted;
    }

    /** Those with the fewest places to go in a cluster come first: what is left for them shrinks fastest. */
    List<Batch> hardestFirst(List<Batch> batches, ClusterState cluster) {
        if (batches.size() < 2) {
            return batches;
        }
        Map<Batch, Long> room = new LinkedHashMap<>();
        for (Batch batch : batches) {
            room.put(batch, index.total(profile, cluster, batch.requirement()));
        }
        List<Batch> sorted = new ArrayList<>(batches);
        // Stable: equals stay in the order of roles and ranks. Those that follow others come after them.
        sorted.sort(Comparator.comparing(Batch::follows).thenComparingLong(room::get));
        return sorted;
    }
}
