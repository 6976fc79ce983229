package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.quota.Decay;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What LocalQueues use, and what they used lately (Kueue, AdmissionFairSharing): every sampling interval, on the clock of the
 * journal, the average moves towards what is in use, half of the way in a half-life.
 *
 * <p>Plain meaning: at each multiple of the interval the average is worked out anew. As nothing changes between two changes of
 * what is in use, all samples in between are taken at once when the next change comes, or when somebody asks.
 */
final class LocalUsage {
    /** Averages are kept in parts of the units of quotas. */
    private static final int PART_BITS = 10;

    private static final long MOST = 1L << 61;
    private static final long WHOLE_MILLI = 1000;

    private final TreeMap<String, Account> accounts = new TreeMap<>();

    private static final class Account {
        /** In units of quotas. */
        private final TreeMap<String, Long> inUse = new TreeMap<>();

        private final TreeMap<String, Long> average = new TreeMap<>();
        /** Up to when samples were taken, domain time; 0 while none are. */
        private long sampledMillis;

        private boolean idle() {
            return inUse.isEmpty() && average.isEmpty();
        }
    }

    /** The name of a workload's LocalQueue; empty where it has none. */
    static String nameOf(Workload workload) {
        return workload.localQueue.isEmpty() ? "" : workload.namespace() + "/" + workload.localQueue;
    }

    /**
     * Counts pods as in use, or not any more.
     *
     * @param charge what one of them is charged, by resource
     * @param sampled whether averages are kept at all
     */
    void charge(
            String localQueue,
            SortedMap<String, Long> charge,
            int times,
            boolean sampled,
            FairSharing policy,
            long nowMillis) {
        Account account = accounts.computeIfAbsent(localQueue, name -> new Account());
        if (sampled) {
            sample(account, policy, nowMillis);
        } else {
            account.average.clear();
            account.sampledMillis = 0;
        }
        charge.forEach((resource, amount) ->
                account.inUse.merge(resource, times * amount, (one, other) -> one + other == 0 ? null : one + other));
        if (account.idle()) {
            accounts.remove(localQueue);
        }
    }

    /** Takes all samples that are due, for all. */
    void sampleAll(FairSharing policy, long nowMillis) {
        accounts.values().forEach(account -> sample(account, policy, nowMillis));
    }

    private static void sample(Account account, FairSharing policy, long nowMillis) {
        if (account.sampledMillis > 0) {
            TreeMap<String, Long> now = new TreeMap<>(averageAt(account, policy, nowMillis));
            account.average.clear();
            account.average.putAll(now);
        }
        account.sampledMillis = Math.max(1, nowMillis);
    }

    private static TreeMap<String, Long> averageAt(Account account, FairSharing policy, long nowMillis) {
        long interval = policy.usageSamplingMillis();
        long samples = Math.floorDiv(nowMillis, interval) - Math.floorDiv(account.sampledMillis, interval);
        return samples <= 0 || account.sampledMillis == 0
                ? account.average
                : averageAfter(account, account.average, policy, samples * interval);
    }

    private static TreeMap<String, Long> averageAfter(
            Account account, TreeMap<String, Long> before, FairSharing policy, long millis) {
        TreeSet<String> resources = new TreeSet<>(before.keySet());
        resources.addAll(account.inUse.keySet());
        TreeMap<String, Long> after = new TreeMap<>();
        for (String resource : resources) {
            long inUse = Math.min(account.inUse.getOrDefault(resource, 0L), MOST >> PART_BITS) << PART_BITS;
            long average =
                    Decay.towards(before.getOrDefault(resource, 0L), inUse, millis, policy.usageHalfLifeMillis());
            if (average > 0) {
                after.put(resource, average);
            }
        }
        return after;
    }

    /**
     * What a LocalQueue used lately, as the next sample will have it, so that what it just started counts: all resources by
     * their weights, cpu in cores, others in their base unit, in parts of 1024, divided by the LocalQueue's weight.
     */
    long usedLately(String localQueue, int weightMilli, FairSharing policy, long nowMillis) {
        Account account = accounts.get(localQueue);
        if (account == null) {
            return 0;
        }
        TreeMap<String, Long> next =
                averageAfter(account, averageAt(account, policy, nowMillis), policy, policy.usageSamplingMillis());
        SortedMap<String, Integer> weights = policy.resourceWeightsMilli();
        long sum = 0;
        for (var each : next.entrySet()) {
            if (each.getKey().equals(ResourceNames.PODS) && !weights.containsKey(ResourceNames.PODS)) {
                continue;
            }
            boolean inThousandths =
                    each.getKey().equals(ResourceNames.CPU) || each.getKey().equals(ResourceNames.GPU);
            long value = inThousandths ? each.getValue() / WHOLE_MILLI : each.getValue();
            long weighted = times(value, weights.getOrDefault(each.getKey(), (int) WHOLE_MILLI), WHOLE_MILLI);
            sum = Math.min(MOST, sum + weighted);
        }
        return weightMilli == 0 && sum > 0 ? Long.MAX_VALUE : times(sum, WHOLE_MILLI, Math.max(1, weightMilli));
    }

    /** value * factor / divisor, as far as that can be told. */
    private static long times(long value, long factor, long divisor) {
        long whole = value / divisor;
        if (factor > 0 && whole > MOST / factor) {
            return MOST;
        }
        return Math.min(MOST, whole * factor + value % divisor * factor / divisor);
    }

    /** The row of a LocalQueue; null when there is nothing to remember. */
    Row.LocalUsage row(String localQueue) {
        Account account = accounts.get(localQueue);
        if (account == null || account.sampledMillis == 0) {
            return null;
        }
        List<Amount> average = new ArrayList<>();
        account.average.forEach((resource, amount) -> average.add(new Amount(resource, amount)));
        return new Row.LocalUsage(localQueue, account.sampledMillis, average);
    }

    /** What was remembered; what is in use is counted with the pods. */
    void restore(Row.LocalUsage row) {
        Account account = accounts.computeIfAbsent(row.localQueue(), name -> new Account());
        account.sampledMillis = row.sampledMillis();
        account.average.clear();
        row.average().forEach(amount -> account.average.put(amount.resource(), amount.amount()));
    }

    /** All LocalQueues that used anything. */
    List<String> names() {
        return List.copyOf(accounts.keySet());
    }

    /** While rows are taken: a pod is in use as it was. */
    void countRestored(String localQueue, SortedMap<String, Long> charge, int times) {
        Account account = accounts.computeIfAbsent(localQueue, name -> new Account());
        charge.forEach((resource, amount) ->
                account.inUse.merge(resource, times * amount, (one, other) -> one + other == 0 ? null : one + other));
    }
}
