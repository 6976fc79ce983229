package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the placed and bound pods of each queue use of which flavor, charged at decision and released when the room is.
 * Queues are those of {@link dev.muster.scheduler.core.model.QueueRef#key()}.
 */
final class QuotaLedger {
    /** Of what no flavor is known. */
    static final String NO_FLAVOR = "";

    private final TreeMap<String, TreeMap<FlavorResource, Long>> usedByQueue = new TreeMap<>();

    /** Charges a pod, or gives back; flavors by resource. */
    void charge(
            String queue,
            SortedMap<String, String> flavors,
            InternedRequirement requirement,
            int sign,
            Sharing sharing) {
        TreeMap<FlavorResource, Long> used = usedByQueue.computeIfAbsent(queue, name -> new TreeMap<>());
        charge(used, flavors, requirement, sign, sharing);
        if (used.isEmpty()) {
            usedByQueue.remove(queue);
        }
    }

    /** The same of what somebody uses. */
    static void charge(
            SortedMap<FlavorResource, Long> used,
            SortedMap<String, String> flavors,
            InternedRequirement requirement,
            int sign,
            Sharing sharing) {
        for (Amount amount : requirement.requirement().requests()) {
            String resource = amount.resource();
            add(used, new FlavorResource(flavorOf(flavors, resource), resource), sign * amount.amount(), sharing);
        }
        int shareMilli = requirement.chargedShareMilli();
        if (shareMilli > 0) {
            String flavor = flavorOf(flavors, ResourceNames.GPU);
            add(used, new FlavorResource(flavor, QuotaUnits.GPU_SHARES), (long) sign * shareMilli, sharing);
        }
    }

    static String flavorOf(SortedMap<String, String> flavors, String resource) {
        return flavors.getOrDefault(resource, NO_FLAVOR);
    }

    private static void add(SortedMap<FlavorResource, Long> used, FlavorResource column, long change, Sharing sharing) {
        Long before = used.get(column);
        long now = (before == null ? 0 : before) + change;
        if (now < 0) {
            throw new LawBrokenException("usage of " + column + " would fall below zero: " + now);
        }
        if (now == 0) {
            used.remove(column);
        } else {
            used.put(before == null ? sharing.one(column) : column, now);
        }
    }

    /** The row of a queue; null when it uses nothing. */
    Row.Quota row(String queue) {
        TreeMap<FlavorResource, Long> used = usedByQueue.get(queue);
        if (used == null) {
            return null;
        }
        return new Row.Quota(queue, amounts(used));
    }

    /** What is used, sorted by flavor and resource. */
    static List<FlavorAmount> amounts(SortedMap<FlavorResource, Long> used) {
        if (used.isEmpty()) {
            return List.of();
        }
        List<FlavorAmount> amounts = new ArrayList<>(used.size());
        used.forEach((column, amount) ->
                amounts.add(new FlavorAmount(column.flavor(), new Amount(column.resource(), amount))));
        return amounts;
    }

    TreeMap<String, TreeMap<FlavorResource, Long>> usedByQueue() {
        return usedByQueue;
    }

    /** What a queue uses, in the units of quotas. */
    SortedMap<FlavorResource, Long> inQuotaUnits(String queue) {
        return QuotaUnits.of(amounts(usedByQueue.getOrDefault(queue, new TreeMap<>())));
    }
}
