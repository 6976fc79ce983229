package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.DomainSearch.Capacity;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.TopologyTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Divides equal pods evenly: as few places as hold them, and on each as many as can be (Kueue KEP-2724, Balanced placement).
 *
 * <p>All of them are to be inside one domain around those of the preferred level, such as a block where the level is the
 * rack; the places are the domains or nodes right below that level. Of the domains around, the one is taken where the place
 * with the fewest pods gets the most (the threshold), then where the fewest domains of the level are needed. Places with less
 * room than the threshold are left out. Then the fewest domains of the level, of these those with the least room in all, and
 * inside them the fewest places, of these those with the least room in all ({@link FewestParts}), get the threshold each and
 * what is left one by one. Slices count instead of pods where there are any; a domain of the slices' own level is a place itself.
 *
 * <p>Departures from Kueue: among domains with the same room those whose places are the most alike come first by the sum of
 * squares, where Kueue computes an entropy; what is left is dealt out, where Kueue gives it to the first. Pods of several
 * kinds, slices of several layers and a last slice that is not full are not balanced: then, as where no domain around the
 * level has room for all, pods are placed as without the wish.
 */
final class BalancedPlacer {
    private final BatchPlacer batches;
    private final Overlay overlay;
    private final ClusterState cluster;
    private final Scope scope;

    BalancedPlacer(BatchPlacer batches, Overlay overlay, ClusterState cluster, Scope scope) {
        this.batches = batches;
        this.overlay = overlay;
        this.cluster = cluster;
        this.scope = scope;
    }

    /**
     * A domain, or a node, that gets a part.
     *
     * @param number of the domain, or of the node
     * @param room in slots: slices, or pods where there are none
     */
    record Place(boolean node, int number, long room) {}

    /** A domain of the preferred level, and its places that have at least the threshold. */
    private record Level(int domain, List<Place> places) {
        private long room() {
            return places.stream().mapToLong(Place::room).sum();
        }

        /** The smaller, the more alike the places are, of domains with the same room. */
        private long squares() {
            return places.stream()
                    .mapToLong(place -> place.room() * place.room())
                    .sum();
        }

        private Level withAtLeast(long threshold) {
            return new Level(
                    domain,
                    places.stream().filter(place -> place.room() >= threshold).toList());
        }
    }

    /** Domains of the level inside one domain around them, how many of them are needed, and what each place gets at least. */
    private record Around(List<Level> levels, int needed, long threshold) {
        private boolean betterThan(Around other) {
            return other == null
                    || threshold > other.threshold
                    || threshold == other.threshold && needed < other.needed;
        }
    }

    /** Reserves room for all of them, divided evenly; or leaves no trace. */
    boolean place(Batch batch, Wish wish) {
        int slot = wish.slices().isEmpty() ? 1 : wish.slices().getFirst().size();
        if (wish.slices().size() > 1 || batch.size() % slot != 0) {
            return false;
        }
        Capacity capacity = batches.capacity(batch, wish, scope, cluster);
        List<Part> parts = divide(levels(wish, capacity, slot), wish.tree(), batch.size() / slot);
        int start = overlay.size();
        int placed = 0;
        for (Part part : parts) {
            int pods = part.slots() * slot;
            Batch its = new Batch(
                    batch.podSet(),
                    batch.requirement(),
                    batch.stance(),
                    batch.members().subList(placed, placed + pods));
            if (!place(its, part.place(), wish)) {
                overlay.undoTo(start);
                return false;
            }
            placed += pods;
        }
        return placed == batch.size();
    }

    private boolean place(Batch part, Place place, Wish wish) {
        return place.node()
                ? part.members().stream()
                        .allMatch(member ->
                                batches.placeOn(part, member, wish.tree().node(place.number())))
                : batches.place(part, part.size(), wish, place.number(), scope, cluster) == part.size();
    }

    /** The domains of the preferred level that may be used, with all their places. */
    private List<Level> levels(Wish wish, Capacity capacity, int slot) {
        TopologyTree tree = wish.tree();
        boolean ofSlices = !wish.slices().isEmpty() && wish.slices().getFirst().tier() == wish.nearest();
        List<Level> levels = new ArrayList<>();
        for (int domain : tree.ofTier(wish.nearest())) {
            if (scope != null && scope.tree() == tree && !tree.contains(scope.domain(), domain)) {
                continue;
            }
            List<Place> places = new ArrayList<>();
            int[] children = tree.children(domain);
            if (ofSlices) {
                add(places, new Place(false, domain, capacity.domains()[domain] / slot));
            } else {
                int end = children.length == 0 ? tree.endNode(domain) : tree.firstNode(children[0]);
                for (int node = tree.firstNode(domain); node < end; node++) {
                    add(places, new Place(true, node, capacity.nodes()[node] / slot));
                }
                for (int child : children) {
                    add(places, new Place(false, child, capacity.domains()[child] / slot));
                }
            }
            levels.add(new Level(domain, places));
        }
        return levels;
    }

    private static void add(List<Place> places, Place place) {
        if (place.room() > 0) {
            places.add(place);
        }
    }

    /** So many slots go to a place. */
    record Part(Place place, int slots) {}

    /** What each place gets, in the order of the tree; none where they can't be divided evenly. */
    private static List<Part> divide(List<Level> levels, TopologyTree tree, int wanted) {
        Around best = null;
        for (int from = 0, to; from < levels.size(); from = to) {
            int parent = tree.parent(levels.get(from).domain());
            to = from;
            while (to < levels.size() && tree.parent(levels.get(to).domain()) == parent) {
                to++;
            }
            Around around = around(levels.subList(from, to), wanted);
            if (around != null && around.betterThan(best)) {
                best = around;
            }
        }
        return best == null ? List.of() : divide(best, wanted);
    }

    private static Around around(List<Level> inside, int wanted) {
        long[] rooms = inside.stream()
                .flatMap(level -> level.places().stream())
                .mapToLong(Place::room)
                .sorted()
                .toArray();
        int places = FewestParts.count(rooms, wanted);
        if (places == 0) {
            return null;
        }
        long threshold = Math.min(wanted / places, rooms[rooms.length - places]);
        List<Level> left =
                inside.stream().map(level -> level.withAtLeast(threshold)).toList();
        int needed =
                FewestParts.count(left.stream().mapToLong(Level::room).sorted().toArray(), wanted);
        return needed == 0 ? null : new Around(left, needed, threshold);
    }

    private static List<Part> divide(Around around, int wanted) {
        List<Level> byRoom = new ArrayList<>(around.levels());
        byRoom.removeIf(level -> level.places().isEmpty());
        byRoom.sort(Comparator.comparingLong(Level::room)
                .reversed()
                .thenComparingLong(Level::squares)
                .thenComparingInt(Level::domain));
        List<Place> places = FewestParts.of(byRoom, Level::room, wanted).stream()
                .sorted(Comparator.comparingInt(Level::domain))
                .flatMap(level -> level.places().stream())
                .toList();
        List<Place> chosen = FewestParts.of(places, Place::room, wanted);
        if (chosen.isEmpty() || wanted < chosen.size() * around.threshold()) {
            return List.of();
        }
        return deal(chosen, around.threshold(), wanted);
    }

    /** Each gets the threshold, and what is left one by one, the roomiest first. */
    private static List<Part> deal(List<Place> places, long threshold, int wanted) {
        int[] slots = new int[places.size()];
        Arrays.fill(slots, (int) threshold);
        List<Integer> byRoom = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            byRoom.add(i);
        }
        byRoom.sort(Comparator.comparingLong(i -> -places.get(i).room()));
        int left = wanted - slots.length * (int) threshold;
        for (int at = 0; left > 0; at = (at + 1) % slots.length) {
            int place = byRoom.get(at);
            if (slots[place] < places.get(place).room()) {
                slots[place]++;
                left--;
            }
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            parts.add(new Part(places.get(i), slots[i]));
        }
        return parts;
    }
}
