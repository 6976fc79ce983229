package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.DomainSearch.Findings;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.round.GangParts.SubGroup;
import dev.muster.scheduler.core.round.GangParts.Wishing;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.TopologyTree;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds room for gangs that ask for a place in the topology, or are divided into subgroups.
 *
 * <p>Domains for the whole gang are tried from the nearest tier that is allowed on; inside one, subgroups and pod sets look
 * for their own domains in the same way. A gang that runs already keeps what is missing of it where the others are.
 */
final class TopologyPlacer {
    private final PodTerms terms;
    private final Overlay overlay;
    private final BatchPlacer batches;

    TopologyPlacer(PodTerms terms, Overlay overlay, BatchPlacer batches) {
        this.terms = terms;
        this.overlay = overlay;
        this.batches = batches;
    }

    /**
     * Why no domain would do.
     *
     * @param wish what was asked; null where the cluster has no such level
     * @param level name of the level
     * @param pods pods that must be together
     * @param domains domains that were looked at
     * @param largest pods that the one with the most room could take
     */
    record NoDomain(Wish wish, String level, int pods, int domains, long largest) {}

    /** What kept pods out: what they require, and why no domain would do; null where it was room alone. */
    record Kept(InternedRequirement requirement, Stance stance, int wanted, NoDomain noDomain) {}

    /** Whether a workload is to be placed by topology. */
    static boolean concerns(Workload workload) {
        if (workload.topology() != null || !workload.subGroups().isEmpty()) {
            return true;
        }
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform != null) {
            return uniform.requirement().topology().given();
        }
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.waiting()) {
                if (member.requirement().requirement().topology().given()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reserves room for the members that the minimum lacks; null when all found it, otherwise nothing stays reserved. */
    Kept placeMinimum(Workload workload, ClusterState cluster) {
        Attempt attempt = new Attempt(workload, cluster);
        NetworkTopology asked = workload.topology();
        if (asked == null) {
            return attempt.place(null) ? null : attempt.kept;
        }
        Wish wish = Wish.of(asked, cluster);
        if (wish == null) {
            return attempt.unknown(asked.highestTierName());
        }
        List<Batch> all = Batch.of(attempt.waiting(), terms, cluster);
        List<Capacity> capacities = all.stream()
                .map(batch -> batches.capacity(batch, wish, null, cluster))
                .toList();
        int[] needs = attempt.surelyNeeded(all);
        int near = near(
                wish.tree(), attempt.parts.placed(), all.getFirst().members().getFirst());
        Findings findings = new Findings();
        attempt.kept = null;
        boolean placed = DomainSearch.search(
                wish, near, null, capacities, needs, findings, domain -> attempt.place(new Scope(wish.tree(), domain)));
        return placed ? null : attempt.keptBy(wish, all, findings);
    }

    /** The domain that the nearest by rank of those that are placed hangs on; -1 where none is in the tree. */
    private static int near(TopologyTree tree, List<Member> placed, Member member) {
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

    /** Reserves room for as many waiting members as fit, subgroups whole; null when all did. */
    Kept placeSurplus(Workload workload, ClusterState cluster) {
        Attempt attempt = new Attempt(workload, cluster);
        attempt.placeRest();
        return attempt.kept;
    }

    /** One gang in one cluster. */
    private final class Attempt {
        final Workload workload;
        final ClusterState cluster;
        final GangParts parts;
        /** What kept members out last. */
        Kept kept;

        Attempt(Workload workload, ClusterState cluster) {
            this.workload = workload;
            this.cluster = cluster;
            this.parts = new GangParts(workload);
        }

        List<Member> waiting() {
            List<Member> waiting = new ArrayList<>();
            workload.podSetsInOrder().forEach(podSet -> waiting.addAll(podSet.waiting()));
            return waiting;
        }

        /** How many of each batch every placement has. */
        int[] surelyNeeded(List<Batch> all) {
            Minimum minimum = new Minimum(workload);
            int[] needs = new int[all.size()];
            for (int i = 0; i < needs.length; i++) {
                Batch batch = all.get(i);
                boolean onlyOne = all.stream()
                                .filter(other -> other.podSet() == batch.podSet())
                                .count()
                        == 1;
                int own = onlyOne ? minimum.missing(batch.podSet()) : 0;
                needs[i] = Math.min(batch.size(), all.size() == 1 ? minimum.missing() : own);
            }
            return needs;
        }

        Kept unknown(String level) {
            Batch first = Batch.of(waiting(), terms, cluster).getFirst();
            kept = new Kept(
                    first.requirement(), first.stance(), first.size(), new NoDomain(null, level, first.size(), 0, 0));
            return kept;
        }

        /** Where a domain was tried, what kept the gang out of it; otherwise that none is large enough. */
        Kept keptBy(Wish wish, List<Batch> all, Findings findings) {
            int missing = new Minimum(workload).missing();
            if (kept == null || all.size() == 1) {
                Batch first = all.getFirst();
                int wanted = all.size() == 1 ? missing : first.size();
                kept = new Kept(
                        first.requirement(),
                        first.stance(),
                        wanted,
                        new NoDomain(wish, wish.level(), missing, findings.domains, findings.largest));
            }
            return kept;
        }

        // ---- the minimum

        boolean place(Scope scope) {
            int start = overlay.size();
            Minimum minimum = new Minimum(workload);
            Set<SubGroup> taken = new HashSet<>(); // only looked up
            boolean placed = subGroupsThatMustBe(scope, minimum, taken)
                    && podSetsWithWishes(scope, minimum)
                    && roles(scope, minimum, taken)
                    && others(scope, minimum, taken);
            if (!placed) {
                overlay.undoTo(start);
            }
            return placed;
        }

        private boolean subGroupsThatMustBe(Scope scope, Minimum minimum, Set<SubGroup> taken) {
            for (SubGroupPolicy policy : workload.subGroups()) {
                int missing = policy.minSubGroups() - parts.complete(policy);
                for (SubGroup group : parts.subGroups()) {
                    if (missing > 0 && group.policy() == policy && take(group, scope, minimum, taken)) {
                        missing--;
                    }
                }
                if (missing > 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean take(SubGroup group, Scope scope, Minimum minimum, Set<SubGroup> taken) {
            if (!group.possible() || taken.contains(group)) {
                return false;
            }
            if (!together(group.together(), wish(group.policy()), group.placed(), scope)) {
                return false;
            }
            taken.add(group);
            minimum.placed(group.together());
            return true;
        }

        private Wish wish(SubGroupPolicy policy) {
            return policy.topology() == null ? null : Wish.of(policy.topology(), cluster);
        }

        private boolean podSetsWithWishes(Scope scope, Minimum minimum) {
            for (Wishing wishing : parts.wishing()) {
                List<Member> needed = needed(wishing, minimum);
                if (needed.isEmpty()) {
                    continue;
                }
                Wish wish = Wish.of(wishing.asked(), cluster);
                if (wish == null) {
                    unknown(wishing.asked());
                    return false;
                }
                if (!together(needed, wish, wishing.placed(), scope)) {
                    return false;
                }
                minimum.placed(needed);
            }
            return true;
        }

        private void unknown(PodSetTopology asked) {
            unknown(asked.level().isEmpty() ? "any" : asked.level());
        }

        /** Its roles' own minimums, and of what is missing beside these as much as roles of higher priority leave. */
        private List<Member> needed(Wishing wishing, Minimum minimum) {
            int left = minimum.missing();
            for (PodSet podSet : workload.podSetsInOrder()) {
                left -= minimum.missing(podSet);
            }
            List<Member> needed = new ArrayList<>();
            for (PodSet podSet : minimum.byPriority()) {
                List<Member> own = wishing.waiting().stream()
                        .filter(member -> member.podSet() == podSet)
                        .toList();
                int available = own.isEmpty() ? podSet.waiting().size() : own.size();
                int must = Math.min(available, minimum.missing(podSet));
                int more = Math.max(0, Math.min(left, available - must));
                left -= more;
                needed.addAll(own.subList(0, own.isEmpty() ? 0 : must + more));
            }
            return needed;
        }

        private boolean roles(Scope scope, Minimum minimum, Set<SubGroup> taken) {
            List<Member> needed = new ArrayList<>();
            for (PodSet podSet : workload.podSetsInOrder()) {
                List<Member> plain = parts.plain(podSet);
                needed.addAll(plain.subList(0, Math.min(plain.size(), minimum.missing(podSet))));
            }
            if (!together(needed, null, List.of(), scope)) {
                return false;
            }
            minimum.placed(needed);
            for (PodSet podSet : workload.podSetsInOrder()) {
                for (SubGroup group : parts.subGroups()) {
                    boolean helps = group.waiting().stream().anyMatch(member -> member.podSet() == podSet);
                    if (minimum.missing(podSet) > 0 && helps) {
                        take(group, scope, minimum, taken);
                    }
                }
                if (minimum.missing(podSet) > 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean others(Scope scope, Minimum minimum, Set<SubGroup> taken) {
            for (PodSet podSet : minimum.byPriority()) {
                List<Member> plain = parts.plain(podSet);
                int used = Math.min(plain.size(), new Minimum(workload).missing(podSet));
                for (Batch batch : Batch.of(plain.subList(used, plain.size()), terms, cluster)) {
                    int wanted = Math.min(batch.size(), Math.max(0, minimum.missing()));
                    int placed = wanted == 0 ? 0 : place(batch, wanted, scope);
                    minimum.placed(batch.members().subList(0, placed));
                    if (placed < wanted) {
                        lacksRoom(batch, wanted);
                    }
                }
            }
            for (SubGroup group : parts.subGroups()) {
                if (minimum.missing() > 0) {
                    take(group, scope, minimum, taken);
                }
            }
            return minimum.met();
        }

        // ---- the rest

        void placeRest() {
            NetworkTopology asked = workload.topology();
            Wish whole = asked == null ? null : Wish.of(asked, cluster);
            Scope scope = whole == null ? null : widest(whole);
            for (SubGroup group : parts.subGroups()) {
                Wish wish = wish(group.policy());
                if (group.possible()) {
                    together(group.together(), wish, group.placed(), scope);
                } else if (group.complete()) {
                    asManyAsFit(group.waiting(), wish == null ? whole : wish, group.placed(), scope);
                }
            }
            for (Wishing wishing : parts.wishing()) {
                if (wishing.waiting().isEmpty()) {
                    continue;
                }
                Wish wish = Wish.of(wishing.asked(), cluster);
                if (wish == null) {
                    unknown(wishing.asked());
                } else if (wish.slices().isEmpty()) {
                    asManyAsFit(wishing.waiting(), wish, wishing.placed(), scope);
                } else {
                    bySlice(wishing, wish, scope);
                }
            }
            for (PodSet podSet : new Minimum(workload).byPriority()) {
                asManyAsFit(parts.plain(podSet), whole, parts.placed(), scope);
            }
        }

        /** Where what is placed allows the rest to be. */
        private Scope widest(Wish wish) {
            TopologyTree tree = wish.tree();
            int domain = parts.placed().isEmpty()
                    ? 0
                    : near(tree, parts.placed(), parts.placed().getFirst());
            if (domain <= 0 || wish.anywhere()) {
                return null;
            }
            while (tree.parent(domain) >= 0 && tree.tier(tree.parent(domain)) <= wish.farthest()) {
                domain = tree.parent(domain);
            }
            return new Scope(tree, domain);
        }

        private void asManyAsFit(List<Member> members, Wish wish, List<Member> placed, Scope scope) {
            for (Batch batch : Batch.of(members, terms, cluster)) {
                int start = overlay.size();
                if (wish == null) {
                    if (place(batch, batch.size(), scope) < batch.size()) {
                        lacksRoom(batch, batch.size());
                    }
                    continue;
                }
                int near = near(wish.tree(), placed, batch.members().getFirst());
                if (near < 0 && together(batch.members(), wish, List.of(), scope)) {
                    continue;
                }
                int domain = near < 0 ? roomiest(batch, wish, scope) : near;
                List<Member> left = batch.members();
                long most = 0;
                for (;
                        domain >= 0 && !left.isEmpty() && wish.tree().tier(domain) <= wish.farthest();
                        domain = wish.tree().parent(domain)) {
                    if (wish.tree().tier(domain) >= wish.nearest()) {
                        Batch rest = new Batch(batch.podSet(), batch.requirement(), batch.stance(), left);
                        most = batches.capacity(rest, wish, scope, cluster).domains()[domain];
                        left = left.subList(
                                batches.place(rest, left.size(), wish, domain, scope, cluster), left.size());
                    }
                }
                if (overlay.size() - start < batch.size()) {
                    keep(batch, left.size(), new NoDomain(wish, wish.level(), left.size(), 1, most));
                }
            }
        }

        private int roomiest(Batch batch, Wish wish, Scope scope) {
            Capacity capacity = batches.capacity(batch, wish, scope, cluster);
            int best = -1;
            for (int domain : wish.tree().ofTier(wish.farthest())) {
                boolean inside = scope == null
                        || scope.tree() != wish.tree()
                        || wish.tree().contains(scope.domain(), domain);
                if (inside && (best < 0 || capacity.domains()[domain] > capacity.domains()[best])) {
                    best = domain;
                }
            }
            return best;
        }

        /** Slices that lack members get them where their others are; new ones are placed whole. */
        private void bySlice(Wishing wishing, Wish wish, Scope scope) {
            int size = wish.slices().getFirst().size();
            List<Member> slice = new ArrayList<>();
            for (Member member : wishing.waiting()) {
                if (!slice.isEmpty() && slice.getFirst().index() / size != member.index() / size) {
                    together(slice, wish, wishing.placed(), scope);
                    slice = new ArrayList<>();
                }
                slice.add(member);
            }
            together(slice, wish, wishing.placed(), scope);
        }

        // ---- pods that are placed together or not at all

        private boolean together(List<Member> members, Wish wish, List<Member> mates, Scope scope) {
            if (members.isEmpty()) {
                return true;
            }
            List<Batch> kinds = Batch.of(members, terms, cluster);
            if (wish == null) {
                return allOf(kinds, scope);
            }
            int near = near(wish.tree(), mates, members.getFirst());
            boolean ranked = members.getFirst().index() >= 0;
            if (near >= 0 && ranked && !wish.slices().isEmpty()) {
                return besideTheirSlices(members, mates, wish, scope);
            }
            List<Capacity> capacities = kinds.stream()
                    .map(batch -> batches.capacity(batch, wish, scope, cluster))
                    .toList();
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
            Wish around =
                    new Wish(wish.tree(), wish.level(), wish.nearest(), wish.farthest(), List.of(), wish.leastFree());
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
                        : together(same, inside, others, scope);
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
                if (wide && within && together(slice, inside, List.of(), new Scope(tree, domain))) {
                    return true;
                }
            }
            return false;
        }

        private boolean allOf(List<Batch> kinds, Scope scope) {
            if (scope != null) {
                Wish here = here(scope);
                boolean placed = batches.placeAll(kinds, here, scope.domain(), null, cluster);
                if (!placed) {
                    keep(kinds.getFirst(), kinds.getFirst().size(), null);
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

        private int place(Batch batch, int wanted, Scope scope) {
            return scope == null
                    ? batches.place(batch, wanted, cluster)
                    : batches.place(batch, wanted, here(scope), scope.domain(), null, cluster);
        }

        private static Wish here(Scope scope) {
            int tier = scope.tree().tier(scope.domain());
            return new Wish(scope.tree(), "", tier, tier, List.of(), false);
        }

        private void lacksRoom(Batch batch, int wanted) {
            keep(batch, wanted, null);
        }

        private void keep(Batch batch, int wanted, NoDomain noDomain) {
            if (kept == null || kept.noDomain() == null && noDomain != null) {
                kept = new Kept(batch.requirement(), batch.stance(), wanted, noDomain);
            }
        }
    }
}
