package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What the placed and bound pods of each queue use, charged at decision and released when the room is. */
final class QuotaLedger {
    /** Shares of GPUs, in thousandths; whole GPUs are counted under their own name. */
    static final String GPU_SHARES = "muster.dev/gpu-milli";

    private final TreeMap<String, TreeMap<String, Long>> usedByQueue = new TreeMap<>();

    void charge(String queue, Requirement requirement, int sign) {
        TreeMap<String, Long> used = usedByQueue.computeIfAbsent(queue, name -> new TreeMap<>());
        for (Amount amount : requirement.requests()) {
            add(used, amount.resource(), sign * amount.amount());
        }
        if (requirement.gpuFractionMilli() > 0) {
            add(used, GPU_SHARES, (long) sign * requirement.gpuFractionMilli());
        }
        if (used.isEmpty()) {
            usedByQueue.remove(queue);
        }
    }

    private static void add(TreeMap<String, Long> used, String resource, long change) {
        long now = used.getOrDefault(resource, 0L) + change;
        if (now < 0) {
            throw new LawBrokenException("usage of " + resource + " would fall below zero: " + now);
        }
        if (now == 0) {
            used.remove(resource);
        } else {
            used.put(resource, now);
        }
    }

    /** The row of a queue; null when it uses nothing. */
    Row.Quota row(String queue) {
        TreeMap<String, Long> used = usedByQueue.get(queue);
        if (used == null) {
            return null;
        }
        List<Amount> amounts = new ArrayList<>();
        used.forEach((resource, amount) -> amounts.add(new Amount(resource, amount)));
        return new Row.Quota(queue, amounts);
    }

    TreeMap<String, TreeMap<String, Long>> usedByQueue() {
        return usedByQueue;
    }
}
