package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * How many pods were evicted for each queue's workloads lately, and for all: what was spent is forgotten at a rate. More may be
 * evicted as long as less than the limit is spent; one eviction may go beyond it, since a gang is evicted whole or not at all,
 * and what is owed then is waited for.
 */
final class EvictionRates {
    /** The sum over all queues; no queue is named so. */
    static final String ALL = "";

    private static final long MILLI = 1_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final TreeMap<String, Row.Evictions> spent = new TreeMap<>();

    /** Thousandths of pods that are still counted at a time. */
    private long spentMilli(String queue, int perHour, long nowMillis) {
        Row.Evictions known = spent.get(queue);
        if (known == null) {
            return 0;
        }
        long elapsed = Math.min(nowMillis - known.sinceMillis(), Long.MAX_VALUE / Math.max(1, perHour));
        return Math.max(0, known.spentMilli() - elapsed * perHour / (HOUR_MILLIS / MILLI));
    }

    /** When more may be evicted, domain time: not later than now when at once; never (Long.MAX_VALUE) when nothing is forgotten. */
    long allowedFrom(String queue, int limit, int perHour, long nowMillis) {
        if (limit == 0) {
            return nowMillis;
        }
        long over = spentMilli(queue, perHour, nowMillis) - limit * MILLI;
        if (over < 0) {
            return nowMillis;
        }
        return perHour == 0 ? Long.MAX_VALUE : nowMillis + (over + 1) * (HOUR_MILLIS / MILLI) / perHour + 1;
    }

    /** Counts pods that are evicted for a queue. */
    void spend(String queue, int pods, int perHour, long nowMillis) {
        long now = spentMilli(queue, perHour, nowMillis) + pods * MILLI;
        spent.keySet()
                .removeIf(other ->
                        !queue.equals(ALL) && !other.equals(ALL) && spentMilli(other, perHour, nowMillis) == 0);
        spent.put(queue, new Row.Evictions(queue, now, nowMillis));
    }

    List<Row.Evictions> rows() {
        return new ArrayList<>(spent.values());
    }

    void restore(List<Row.Evictions> rows) {
        spent.clear();
        rows.forEach(row -> spent.put(row.queue(), row));
    }
}
