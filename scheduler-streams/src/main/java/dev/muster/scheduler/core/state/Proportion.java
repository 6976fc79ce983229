package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Divides an amount by weights, so that nobody gets less than it is guaranteed or more than it asks for and may have: what one
 * does not take the others share, by their weights again (Volcano, plugin proportion: the deserved resources of queues). The
 * plugin comes ever closer to that in rounds; here it is worked out in whole units, what cannot be divided going to the first by
 * name.
 */
final class Proportion {
    private static final long MOST_WEIGHT = 1_000_000;

    private Proportion() {}

    /**
     * One that takes part.
     *
     * @param weight from 1; larger ones than a million count as a million
     * @param least what it gets in any case
     * @param most what it can take, no less than that
     */
    record Claim(String name, int weight, long least, long most) {
        private long bounded(long ideal) {
            return Math.max(least, Math.min(most, ideal));
        }

        private long weighs() {
            return Math.max(1, Math.min(MOST_WEIGHT, weight));
        }
    }

    /** What each gets, by name; in all no more than there is, unless more is guaranteed. */
    static TreeMap<String, Long> divide(long whole, List<Claim> claims) {
        TreeMap<String, Long> given = new TreeMap<>();
        List<Claim> open = new ArrayList<>(claims);
        long left = whole;
        while (!open.isEmpty()) {
            long weights = open.stream().mapToLong(Claim::weighs).sum();
            long there = Math.max(0, left);
            long off = 0;
            for (Claim claim : open) {
                long ideal = part(there, claim.weighs(), weights);
                off += claim.bounded(ideal) - ideal;
            }
            // Where bounds ask for more than there is, those are settled that get more than their part; else those that
            // get less. The rest is divided anew.
            List<Claim> again = new ArrayList<>();
            for (Claim claim : open) {
                long ideal = part(there, claim.weighs(), weights);
                long its = claim.bounded(ideal);
                boolean settled = off == 0 || (off > 0 ? its > ideal : its < ideal);
                if (settled) {
                    given.put(claim.name(), its);
                    left -= its;
                } else {
                    again.add(claim);
                }
            }
            open = again;
        }
        for (Claim claim :
                claims.stream().sorted(Comparator.comparing(Claim::name)).toList()) {
            if (left > 0 && given.get(claim.name()) < claim.most()) {
                given.merge(claim.name(), 1L, Long::sum);
                left--;
            }
        }
        return given;
    }

    /** whole * weight / weights without an overflow. */
    private static long part(long whole, long weight, long weights) {
        return whole / weights * weight + whole % weights * weight / weights;
    }
}
