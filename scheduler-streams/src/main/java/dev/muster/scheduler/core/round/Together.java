package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.DomainSearch.Findings;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.List;

/** Places pods of one gang in one cluster in one domain that will do, or none of them; and remembers what kept them out. */
final class Together {
    private final PodTerms terms;
    private final Overlay overlay;
    private final BatchPlacer batches;
    private final ClusterState cluster;
    /** What kept members out. */
    private Kept kept;

    Together(PodTerms terms, Overlay overlay, BatchPlacer batches, ClusterState cluster) {
        this.terms = terms;
        this.overlay = overlay;
        this.batches = batches;
        this.cluster = cluster;
    }

    /** The domain that the nearest by rank of those that are placed hangs on; -1 where none is in the tree. */
    static int near(TopologyTree tree, List<Member> placed, Member member) {
        int nearest = -1;
        int distance = Integer.MAX_VALUE;
        for (Member mate : placed) {
            int number = mate.node() == null ? -1 : tree.numberOf(mate.node());
            int apart = Math.abs(mate.index() - member.index());
            if (number >= 0 && apart < distance) {
                nearest = tree.domainOf(number);
                distance = apart;
            }
        }
        return nearest;
    }

    List<Batch> kinds(List<Member> members) {
        return Batch.of(members, terms, cluster);
    }

    /**
     * Reserves room for all of them, or for none.
     *
     * @param wish which domains will do; null for any place in the scope
     * @param mates those that are placed, beside which they must be
     * @param scope what they must stay in; null for anywhere
     */
    boolean place(List<Member> members, Wish wish, List<Member> mates, Scope scope) {
        if (members.isEmpty()) {
            return true;
        }
        List<Batch> kinds = kinds(members);
        if (wish == null) {
            return allOf(kinds, scope);
        }
        int near = near(wish.tree(), mates, members.getFirst());
        boolean ranked = members.getFirst().index() >= 0;
        if (near >= 0 && ranked && !wish.slices().isEmpty()) {
            return besideTheirSlices(members, mates, wish, scope);
        }
        if (wish.balanced() && near < 0 && kinds.size() == 1 && balanced(kinds.getFirst(), wish, scope)) {
            return true;
        }
        List<Capacity> capacities = capacities(kinds, wish, scope);
        int[] needs =
                kinds.stream().mapToInt(batch -> slots(batch.size(), wish)).toArray();
        Findings findings = new Findings();
        boolean placed = DomainSearch.search(
                wish,
                near,
                scope,
                capacities,
                needs,
                findings,
                domain -> batches.placeAll(kinds, wish, domain, scope, cluster));
        if (!placed) {
            keep(
                    kinds.getFirst(),
                    kinds.size() == 1 ? members.size() : kinds.getFirst().size(),
                    new NoDomain(wish, wish.level(), members.size(), findings.domains, findings.largest));
        }
        return placed;
    }

    private boolean balanced(Batch batch, Wish wish, Scope scope) {
        return batches.counts(batch) && new BalancedPlacer(batches, overlay, cluster, scope).place(batch, wish);
    }

    List<Capacity> capacities(List<Batch> kinds, Wish wish, Scope scope) {
        return kinds.stream()
                .map(batch -> batches.capacity(batch, wish, scope, cluster))
                .toList();
    }

    /** Whole slices take so many slots. */
    private static int slots(int pods, Wish wish) {
        int unit = wish.slices().isEmpty() ? 1 : wish.slices().getFirst().size();
        return (pods + unit - 1) / unit * unit;
    }

    /** All in one domain with what is placed, each of a slice that has members placed where those are. */
    private boolean besideTheirSlices(List<Member> members, List<Member> mates, Wish wish, Scope scope) {
        int start = overlay.size();
        Wish.SliceTier slice = wish.slices().getFirst();
        Wish inside = new Wish(
                wish.tree(),
                wish.level(),
                slice.tier(),
                slice.tier(),
                wish.slices().subList(1, wish.slices().size()),
                false);
        Wish around = new Wish(wish.tree(), wish.level(), wish.nearest(), wish.farthest(), List.of(), wish.leastFree());
        for (int from = 0, to; from < members.size(); from = to) {
            int number = members.get(from).index() / slice.size();
            to = from;
            while (to < members.size() && members.get(to).index() / slice.size() == number) {
                to++;
            }
            List<Member> same = members.subList(from, to);
            List<Member> others = mates.stream()
                    .filter(mate -> mate.index() >= 0 && mate.index() / slice.size() == number)
                    .toList();
            boolean placed = others.isEmpty()
                    ? sliceNear(same, mates, inside, around, scope)
                    : place(same, inside, others, scope);
            if (!placed) {
                overlay.undoTo(start);
                return false;
            }
        }
        return true;
    }

    /** A slice none of which is placed, in the domain that the rest of its pod set must share. */
    private boolean sliceNear(List<Member> slice, List<Member> mates, Wish inside, Wish around, Scope scope) {
        TopologyTree tree = around.tree();
        for (int domain = near(tree, mates, slice.getFirst());
                domain >= 0 && tree.tier(domain) <= around.farthest();
                domain = tree.parent(domain)) {
            boolean wide = tree.tier(domain) >= Math.max(around.nearest(), inside.farthest());
            boolean within = scope == null || scope.tree() != tree || tree.contains(scope.domain(), domain);
            if (wide && within && place(slice, inside, List.of(), new Scope(tree, domain))) {
                return true;
            }
        }
        return false;
    }

    private boolean allOf(List<Batch> kinds, Scope scope) {
        if (scope != null) {
            boolean placed = batches.placeAll(kinds, here(scope), scope.domain(), null, cluster);
            if (!placed) {
                lacksRoom(kinds.getFirst(), kinds.getFirst().size());
            }
            return placed;
        }
        int start = overlay.size();
        for (Batch batch : batches.hardestFirst(kinds, cluster)) {
            if (batches.place(batch, batch.size(), cluster) < batch.size()) {
                lacksRoom(batch, batch.size());
                overlay.undoTo(start);
                return false;
            }
        }
        return true;
    }

    /** Reserves room for as many of a batch as wanted, anywhere in the scope; returns how many found it. */
    int place(Batch batch, int wanted, Scope scope) {
        int placed = scope == null
                ? batches.place(batch, wanted, cluster)
                : batches.place(batch, wanted, here(scope), scope.domain(), null, cluster);
        if (placed < wanted) {
            lacksRoom(batch, wanted);
        }
        return placed;
    }

    private static Wish here(Scope scope) {
        int tier = scope.tree().tier(scope.domain());
        return new Wish(scope.tree(), "", tier, tier, List.of(), false);
    }

    // ---- what kept members out

    Kept kept() {
        return kept;
    }

    private void lacksRoom(Batch batch, int wanted) {
        keep(batch, wanted, null);
    }

    /** That no domain would do says more than that room was lacking; otherwise the first counts. */
    void keep(Batch batch, int wanted, NoDomain noDomain) {
        if (kept == null || kept.noDomain() == null && noDomain != null) {
            kept = new Kept(batch.requirement(), batch.stance(), wanted, noDomain);
        }
    }

    /** No topology of the cluster has the level that is asked for. */
    void keepUnknown(List<Member> members, String level) {
        Batch first = kinds(members).getFirst();
        String name = level.isEmpty() ? "any" : level;
        kept = new Kept(
                first.requirement(), first.stance(), first.size(), new NoDomain(null, name, first.size(), 0, 0));
    }
}
