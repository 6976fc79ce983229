package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.TopologyTree;
import java.util.Arrays;

/**
 * Domains of a tree by the room in them, so that the tightest that will do is found without a look at each.
 *
 * <p>The domains of a tier are a search tree by room, then number; each is in it once, so that the links are kept by number
 * and nothing is made anew when a domain moves. It is kept shallow as a treap is (Seidel and Aragon, Randomized search trees,
 * 1996), with the scattered bits of a domain's number in place of a random one.
 */
final class DomainIndex {
    private static final int NONE = -1;

    private final TopologyTree tree;
    private final long[] rooms;
    private final int[] smaller;
    private final int[] larger;
    /** The tiers there are, rising. */
    private final int[] tiers;

    /** The domain at the top, by the place of its tier among them. */
    private final int[] tops;

    /** The two parts of the last split. */
    private int below;

    private int above;

    DomainIndex(TopologyTree tree, long[] rooms) {
        this.tree = tree;
        this.rooms = rooms.clone();
        this.smaller = new int[rooms.length];
        this.larger = new int[rooms.length];
        this.tiers = tree.tiers().stream().mapToInt(Integer::intValue).toArray();
        this.tops = new int[tiers.length];
        Arrays.fill(tops, NONE);
        for (int domain = 0; domain < rooms.length; domain++) {
            add(domain);
        }
    }

    /** A domain has another room. */
    void moved(int domain, long room) {
        int tier = placeOf(tree.tier(domain));
        tops[tier] = without(tops[tier], domain);
        rooms[domain] = room;
        add(domain);
    }

    private void add(int domain) {
        int tier = placeOf(tree.tier(domain));
        smaller[domain] = NONE;
        larger[domain] = NONE;
        tops[tier] = with(tops[tier], domain);
    }

    private int placeOf(int tier) {
        return Arrays.binarySearch(tiers, tier);
    }

    /** The domain of a tier with the least room that is enough, behind the one that was last; -1 where there is none. */
    int next(int tier, long enough, long lastRoom, int last) {
        boolean begins = last < 0 || enough > lastRoom;
        long room = begins ? enough : lastRoom;
        int number = begins ? 0 : last + 1;
        int found = NONE;
        for (int at = tops[placeOf(tier)]; at != NONE; ) {
            boolean reaches = rooms[at] > room || rooms[at] == room && at >= number;
            found = reaches ? at : found;
            at = reaches ? smaller[at] : larger[at];
        }
        return found;
    }

    /** The most room that a domain of a tier has. */
    long largest(int tier) {
        int at = tops[placeOf(tier)];
        while (at != NONE && larger[at] != NONE) {
            at = larger[at];
        }
        return at == NONE ? 0 : rooms[at];
    }

    private boolean before(int domain, int other) {
        return rooms[domain] != rooms[other] ? rooms[domain] < rooms[other] : domain < other;
    }

    private static int rank(int domain) {
        int scattered = domain * 0x9E3779B9;
        return (scattered ^ scattered >>> 15) * 0x85EBCA6B;
    }

    private int with(int top, int domain) {
        if (top == NONE) {
            return domain;
        }
        if (rank(domain) > rank(top)) {
            split(top, domain);
            smaller[domain] = below;
            larger[domain] = above;
            return domain;
        }
        if (before(domain, top)) {
            smaller[top] = with(smaller[top], domain);
        } else {
            larger[top] = with(larger[top], domain);
        }
        return top;
    }

    private void split(int top, int domain) {
        if (top == NONE) {
            below = NONE;
            above = NONE;
        } else if (before(top, domain)) {
            split(larger[top], domain);
            larger[top] = below;
            below = top;
        } else {
            split(smaller[top], domain);
            smaller[top] = above;
            above = top;
        }
    }

    private int without(int top, int domain) {
        if (top == domain) {
            return joined(smaller[top], larger[top]);
        }
        if (before(domain, top)) {
            smaller[top] = without(smaller[top], domain);
        } else {
            larger[top] = without(larger[top], domain);
        }
        return top;
    }

    private int joined(int lower, int upper) {
        if (lower == NONE || upper == NONE) {
            return lower == NONE ? upper : lower;
        }
        if (rank(lower) > rank(upper)) {
            larger[lower] = joined(larger[lower], upper);
            return lower;
        }
        smaller[upper] = joined(lower, smaller[upper]);
        return upper;
    }
}
