package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.VolcanoShares;
import dev.muster.scheduler.core.state.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.ToIntBiFunction;

/**
 * Jobs of one queue that grow beyond their minimums: the one with the smallest dominant share comes next, that is the largest part
 * of all nodes that it has of any resource (Volcano, plugin drf, job order; Ghodsi et al., Dominant Resource Fairness, 2011).
 * Whoever is behind gets at once as many pods as bring it level with the next one, so that a decision names several.
 */
final class DominantShares {
    private final VolcanoShares shares;
    private final ToIntBiFunction<Workload, Integer> place;

    private record Standing(Share share, Workload workload) {}

    /** @param place places so many pods of a workload at most, and says how many */
    DominantShares(VolcanoShares shares, ToIntBiFunction<Workload, Integer> place) {
        this.shares = shares;
        this.place = place;
    }

    void grow(List<Workload> jobs) {
        TreeSet<Standing> order = new TreeSet<>(Comparator.comparing(Standing::share)
                .thenComparingLong(standing -> standing.workload().arrivedSequence())
                .thenComparing(standing -> standing.workload().id()));
        jobs.forEach(job -> order.add(standing(job)));
        while (!order.isEmpty()) {
            Workload job = order.pollFirst().workload();
            int wanted =
                    order.isEmpty() ? Integer.MAX_VALUE : upTo(order.first().share(), job);
            int placed = place.applyAsInt(job, wanted);
            if (placed == wanted && job.count(Member.Phase.WAITING) > 0) {
                order.add(standing(job));
            }
        }
    }

    private Standing standing(Workload job) {
        return new Standing(shares.dominant(used(job)), job);
    }

    private static SortedMap<FlavorResource, Long> used(Workload job) {
        return QuotaUnits.of(job.usedAmounts());
    }

    /** Pods like its first that waits, until it has as much as another; at least one. */
    private int upTo(Share other, Workload job) {
        SortedMap<FlavorResource, Long> used = used(job);
        Member first = first(job);
        int waiting = job.count(Member.Phase.WAITING);
        int pods = 0;
        do {
            pods++;
            first.requirement()
                    .charge()
                    .forEach((resource, amount) -> used.merge(new FlavorResource("", resource), amount, Long::sum));
        } while (pods < waiting && shares.dominant(used).compareTo(other) < 0);
        return pods;
    }

    private static Member first(Workload job) {
        for (PodSet podSet : job.podSetsInOrder()) {
            if (!podSet.waiting().isEmpty()) {
                return podSet.waiting().iterator().next();
            }
        }
        throw new IllegalStateException(job.id() + " waits for nothing");
    }
}
