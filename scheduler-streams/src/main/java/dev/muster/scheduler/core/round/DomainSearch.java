package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.Wish.SliceTier;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Chooses domains of a tree by counting, and divides pods among the nodes of a domain.
 *
 * <p>Of the domains of one tier that have room, the one with the least room comes first, ties to the smaller path. Inside a
 * domain pods go to the child that has just enough room for all that are left; where none has, the largest child is filled
 * and the rest divided on: so there are as few domains as possible on each tier, and as few nodes. This is how Kueue's
 * topology-aware scheduling chooses (KEP-2724, BestFit), and Volcano's bin-packing of HyperNodes.
 */
final class DomainSearch {
    /** So many domains are tried whole; counting alone already rules out those that are too small. */
    private static final int MOST_TRIED = 64;

    private static final long MOST_COUNTED = 1L << 40;
    private static final int INDEX_BITS = 20;

    private DomainSearch() {}

    /**
     * How many pods of one kind nodes and domains have room for, by their numbers.
     *
     * @param kept what keeps the numbers up to date; null where they stay as they were when asked for
     */
    record Capacity(int[] nodes, long[] domains, DomainCounts kept) {
        /** Takes in what changed since: room that was tried and given back. */
        void refresh() {
            if (kept != null) {
                kept.now();
            }
        }

        /** Only what is inside one domain of another tree. */
        Capacity within(TopologyTree tree, Scope scope) {
            int[] inside = nodes.clone();
            long[] sums = new long[domains.length];
            for (int number = 0; number < inside.length; number++) {
                if (!scope.contains(tree.node(number))) {
                    inside[number] = 0;
                }
                sums[tree.domainOf(number)] += inside[number];
            }
            for (int domain = sums.length - 1; domain > 0; domain--) {
                sums[tree.parent(domain)] += sums[domain];
            }
            return new Capacity(inside, sums, null);
        }

        /** Only whole slices: what a domain of a slice's tier has room for beyond that counts for nothing above it. */
        Capacity inSlices(TopologyTree tree, List<SliceTier> slices) {
            long[] sums = new long[domains.length];
            for (int number = 0; number < nodes.length; number++) {
                sums[tree.domainOf(number)] += nodes[number];
            }
            for (int domain = sums.length - 1; domain >= 0; domain--) {
                sums[domain] = SliceTier.whole(slices, tree.tier(domain), sums[domain]);
                if (domain > 0) {
                    sums[tree.parent(domain)] += sums[domain];
                }
            }
            return new Capacity(nodes, sums, null);
        }
    }

    /** A domain that everything must stay in. */
    record Scope(TopologyTree tree, int domain) {
        boolean contains(NodeState node) {
            int number = tree.numberOf(node);
            return number >= tree.firstNode(domain) && number < tree.endNode(domain);
        }
    }

    /** What was found of domains that would have done. */
    static final class Findings {
        /** Domains of the farthest tier. */
        int domains;
        /** Pods, of those that must be together, that the one with the most room could take. */
        long largest;
    }

    /**
     * Tries domains until one does.
     *
     * @param near the domain that pods which are placed already hang on, to begin with; -1 where none is placed
     * @param scope must contain the domain, where it is of the same tree; null for none
     * @param capacities of what must be placed, and how many of each
     * @param attempt places what is to be placed in a domain, or leaves no trace
     */
    static boolean search(
            Wish wish,
            int near,
            Scope scope,
            List<Capacity> capacities,
            int[] needs,
            Findings findings,
            IntPredicate attempt) {
        if (near >= 0) {
            return upFrom(wish, near, capacities, needs, findings, attempt);
        }
        TopologyTree tree = wish.tree();
        int tried = 0;
        for (int tier : tree.tiers()) {
            if (tier < wish.nearest() || tier > wish.farthest()) {
                continue;
            }
            Tier one = Tier.of(tier, scope, capacities, needs, wish);
            findings.domains = one.count();
            findings.largest = one.largest();
            long room = -1;
            int last = -1;
            for (int next = one.next(room, last); next >= 0 && tried < MOST_TRIED; next = one.next(room, last)) {
                room = room(next, capacities); // as it was before anything was tried there
                last = next;
                if (attempt.test(next)) {
                    return true;
                }
                capacities.forEach(Capacity::refresh);
                tried++;
            }
        }
        return false;
    }

    /** The domains of one tier that may be looked at, by the room in them. */
    private interface Tier {
        int count();

        long largest();

        /** The one with the least room that is enough, behind the one that was last; -1 where there is none. */
        int next(long lastRoom, int last);

        static Tier of(int tier, Scope scope, List<Capacity> capacities, int[] needs, Wish wish) {
            TopologyTree tree = wish.tree();
            boolean all = scope == null || scope.tree() != tree;
            DomainCounts kept = capacities.size() == 1 ? capacities.getFirst().kept() : null;
            return all && kept != null
                    ? new Indexed(tier, tree.ofTier(tier).length, kept.index(), needs[0])
                    : new Scanned(inside(tree, tree.ofTier(tier), scope), capacities, needs);
        }
    }

    private record Indexed(int tier, int count, DomainIndex index, int need) implements Tier {
        @Override
        public long largest() {
            return index.largest(tier);
        }

        @Override
        public int next(long lastRoom, int last) {
            return index.next(tier, need, lastRoom, last);
        }
    }

    private record Scanned(int[] domains, List<Capacity> capacities, int[] needs) implements Tier {
        @Override
        public int count() {
            return domains.length;
        }

        @Override
        public long largest() {
            return DomainSearch.largest(domains, capacities);
        }

        @Override
        public int next(long lastRoom, int last) {
            return DomainSearch.next(domains, capacities, needs, lastRoom, last);
        }
    }

    private static boolean upFrom(
            Wish wish, int near, List<Capacity> capacities, int[] needs, Findings findings, IntPredicate attempt) {
        TopologyTree tree = wish.tree();
        for (int domain = near; domain >= 0 && tree.tier(domain) <= wish.farthest(); domain = tree.parent(domain)) {
            if (tree.tier(domain) < wish.nearest()) {
                continue;
            }
            findings.domains = 1;
            findings.largest = room(domain, capacities);
            if (enough(domain, capacities, needs) && attempt.test(domain)) {
                return true;
            }
            capacities.forEach(Capacity::refresh);
        }
        return false;
    }

    private static int[] inside(TopologyTree tree, int[] domains, Scope scope) {
        return scope == null || scope.tree() != tree
                ? domains
                : Arrays.stream(domains)
                        .filter(domain -> tree.contains(scope.domain(), domain))
                        .toArray();
    }

    private static long largest(int[] domains, List<Capacity> capacities) {
        long largest = 0;
        for (int domain : domains) {
            largest = Math.max(largest, room(domain, capacities));
        }
        return largest;
    }

    /** The domain with the least room that is enough, behind the one that was last; -1 where there is none. */
    private static int next(int[] domains, List<Capacity> capacities, int[] needs, long lastRoom, int last) {
        int best = -1;
        long least = Long.MAX_VALUE;
        for (int domain : domains) {
            long room = room(domain, capacities);
            boolean behind = room > lastRoom || room == lastRoom && domain > last;
            if (behind && room < least && enough(domain, capacities, needs)) {
                best = domain;
                least = room;
            }
        }
        return best;
    }

    private static long room(int domain, List<Capacity> capacities) {
        long room = 0;
        for (Capacity capacity : capacities) {
            room += capacity.domains()[domain];
        }
        return room;
    }

    private static boolean enough(int domain, List<Capacity> capacities, int[] needs) {
        for (int i = 0; i < needs.length; i++) {
            if (capacities.get(i).domains()[domain] < needs[i]) {
                return false;
            }
        }
        return true;
    }

    /** So many pods go to a node. */
    record Part(int node, int pods) {}

    /**
     * Divides pods among the nodes of a domain that has room for them, in the order of the tree: whoever takes them in the
     * order of their ranks has neighbours near each other, and slices whole.
     */
    static List<Part> divide(Wish wish, int domain, int pods, Capacity capacity) {
        List<Part> parts = new ArrayList<>();
        int unit = wish.unit(wish.tree().tier(domain));
        int whole = (pods + unit - 1) / unit * unit;
        divide(wish, domain, whole, capacity, parts);
        return parts;
    }

    private static void divide(Wish wish, int domain, long pods, Capacity capacity, List<Part> parts) {
        TopologyTree tree = wish.tree();
        int[] children = tree.children(domain);
        int first = tree.firstNode(domain);
        int own = (children.length > 0 ? tree.firstNode(children[0]) : tree.endNode(domain)) - first;
        long[] rooms = new long[own + children.length];
        for (int i = 0; i < rooms.length; i++) {
            rooms[i] = i < own ? capacity.nodes()[first + i] : capacity.domains()[children[i - own]];
        }
        long[] shares = shares(rooms, pods, wish.leastFree());
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] > 0 && i < own) {
                parts.add(new Part(first + i, (int) shares[i]));
            } else if (shares[i] > 0) {
                divide(wish, children[i - own], shares[i], capacity, parts);
            }
        }
    }

    /** How many each gets: as few as possible get any; with least free first, those with the least room get theirs first. */
    static long[] shares(long[] rooms, long pods, boolean leastFree) {
        long[] shares = new long[rooms.length];
        long[] order = new long[rooms.length];
        for (int i = 0; i < rooms.length; i++) {
            long room = Math.min(rooms[i], MOST_COUNTED - 1);
            order[i] = (leastFree ? room : MOST_COUNTED - 1 - room) << INDEX_BITS | i;
        }
        Arrays.sort(order);
        long left = pods;
        for (int at = 0; at < order.length && left > 0; at++) {
            int index = (int) (order[at] & (1 << INDEX_BITS) - 1);
            if (!leastFree && rooms[index] >= left) {
                index = tightest(rooms, order, at, left);
            }
            shares[index] = Math.min(left, rooms[index]);
            left -= shares[index];
        }
        return shares;
    }

    /** Of those from a place in the order on, the one with the least room that is enough; the first of equals. */
    private static int tightest(long[] rooms, long[] order, int from, long pods) {
        int best = -1;
        for (int at = from; at < order.length; at++) {
            int index = (int) (order[at] & (1 << INDEX_BITS) - 1);
            if (rooms[index] < pods) {
                break;
            }
            if (best < 0 || rooms[index] < rooms[best]) {
                best = index;
            }
        }
        return best;
    }
}
