package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.ArrayList;
import java.util.List;

/** Places members beyond a gang's minimum where the others are, as many as find room there. */
final class AsManyAsFit {
    private final Together together;
    private final BatchPlacer batches;
    private final ClusterState cluster;

    AsManyAsFit(Together together, BatchPlacer batches, ClusterState cluster) {
        this.together = together;
        this.batches = batches;
        this.cluster = cluster;
    }

    /** Those of one pod set or subgroup: all in one domain, with those that are placed where there are any. */
    void place(List<Member> members, Wish wish, List<Member> placed, Scope scope) {
        for (Batch batch : together.kinds(members)) {
            if (wish == null) {
                together.place(batch, batch.size(), scope);
            } else {
                place(batch, wish, placed, scope);
            }
        }
    }

    private void place(Batch batch, Wish wish, List<Member> placed, Scope scope) {
        TopologyTree tree = wish.tree();
        int near = Together.near(tree, placed, batch.members().getFirst());
        if (near < 0 && together.place(batch.members(), wish, List.of(), scope)) {
            return;
        }
        List<Member> left = batch.members();
        long most = 0;
        for (int domain = near < 0 ? roomiest(batch, wish, scope) : near;
                domain >= 0 && !left.isEmpty() && tree.tier(domain) <= wish.farthest();
                domain = tree.parent(domain)) {
            if (tree.tier(domain) >= wish.nearest()) {
                Batch rest = new Batch(batch.podSet(), batch.requirement(), batch.stance(), left);
                most = batches.capacity(rest, wish, scope, cluster).domains()[domain];
                int more = batches.place(rest, left.size(), wish, domain, scope, cluster);
                left = left.subList(more, left.size());
            }
        }
        if (!left.isEmpty()) {
            together.keep(batch, left.size(), new NoDomain(wish, wish.level(), left.size(), 1, most));
        }
    }

    private int roomiest(Batch batch, Wish wish, Scope scope) {
        Capacity capacity = batches.capacity(batch, wish, scope, cluster);
        int best = -1;
        for (int domain : wish.tree().ofTier(wish.farthest())) {
            boolean inside =
                    scope == null || scope.tree() != wish.tree() || wish.tree().contains(scope.domain(), domain);
            if (inside && (best < 0 || capacity.domains()[domain] > capacity.domains()[best])) {
                best = domain;
            }
        }
        return best;
    }

    /** Slices that lack members get them where their others are; new ones are placed whole. */
    void placeSlices(List<Member> members, Wish wish, List<Member> placed, Scope scope) {
        int size = wish.slices().getFirst().size();
        List<Member> slice = new ArrayList<>();
        for (Member member : members) {
            if (!slice.isEmpty() && slice.getFirst().index() / size != member.index() / size) {
                together.place(slice, wish, placed, scope);
                slice = new ArrayList<>();
            }
            slice.add(member);
        }
        together.place(slice, wish, placed, scope);
    }

    /** The widest domain that a wish allows around what is placed; null where that is anywhere. */
    static Scope widest(Wish wish, List<Member> placed) {
        TopologyTree tree = wish.tree();
        int domain = placed.isEmpty() ? 0 : Together.near(tree, placed, placed.getFirst());
        if (domain <= 0 || wish.anywhere()) {
            return null;
        }
        while (tree.parent(domain) >= 0 && tree.tier(tree.parent(domain)) <= wish.farthest()) {
            domain = tree.parent(domain);
        }
        return new Scope(tree, domain);
    }
}
