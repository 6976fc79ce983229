package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.TopologyTree;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Domains of a tree by the room in them, so that the tightest that will do is found without a look at each. */
final class DomainIndex {
    private static final int DOMAIN_BITS = 20;

    private final TopologyTree tree;
    /** Room and number of each domain, by its tier; only looked up. */
    private final Map<Integer, TreeSet<Long>> byTier = new HashMap<>();

    DomainIndex(TopologyTree tree, long[] rooms) {
        this.tree = tree;
        tree.tiers().forEach(tier -> byTier.put(tier, new TreeSet<>()));
        for (int domain = 0; domain < rooms.length; domain++) {
            byTier.get(tree.tier(domain)).add(key(rooms[domain], domain));
        }
    }

    private static long key(long room, int domain) {
        return room << DOMAIN_BITS | domain;
    }

    /** A domain has another room. */
    void moved(int domain, long before, long now) {
        TreeSet<Long> same = byTier.get(tree.tier(domain));
        same.remove(key(before, domain));
        same.add(key(now, domain));
    }

    /** The domain of a tier with the least room that is enough, behind the one that was last; -1 where there is none. */
    int next(int tier, long enough, long lastRoom, int last) {
        long from = Math.max(key(Math.max(0, enough), 0), last < 0 ? 0 : key(lastRoom, last + 1));
        Long found = byTier.get(tier).ceiling(from);
        return found == null ? -1 : (int) (found & (1 << DOMAIN_BITS) - 1);
    }

    /** The most room that a domain of a tier has. */
    long largest(int tier) {
        TreeSet<Long> domains = byTier.get(tier);
        return domains.isEmpty() ? 0 : domains.last() >> DOMAIN_BITS;
    }
}
