package dev.muster.scheduler.core.quota;

import java.util.Collection;
import java.util.SortedMap;

/** The naive reading of quota, for tests elsewhere. */
public final class QuotaTestAccess {
    private QuotaTestAccess() {}

    /** Whether nothing on a queue's way up uses more than it may. */
    public static boolean within(
            Collection<QuotaNode> nodes,
            SortedMap<String, SortedMap<FlavorResource, Long>> usage,
            String queue,
            FlavorResource column) {
        NaiveQuota naive = new NaiveQuota(nodes);
        usage.forEach((name, used) -> used.forEach((each, amount) -> naive.charge(name, each, amount)));
        return naive.fits(queue, column, 0);
    }
}
