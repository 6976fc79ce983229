package dev.muster.scheduler.core.quota;

import dev.muster.scheduler.core.quota.QuotaNode.Id;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Quota as Kueue's documentation puts it (KEP-79), with nothing kept: what a node has left is what it owns plus what its
 * children have left as far as they lend it, minus what its workloads use; no node may be below zero by more than it may
 * borrow, the root not at all.
 */
final class NaiveQuota {
    private final Map<Id, QuotaNode> nodes = new HashMap<>();
    private final Map<String, Map<FlavorResource, Long>> usage = new HashMap<>();

    NaiveQuota(Collection<QuotaNode> described) {
        described.forEach(node -> nodes.put(node.id(), node));
    }

    void charge(String queue, FlavorResource column, long amount) {
        usage.computeIfAbsent(queue, name -> new HashMap<>()).merge(column, amount, Long::sum);
    }

    long left(Id id, FlavorResource column) {
        QuotaNode node = node(id);
        long left = limits(node, column).nominal();
        for (QuotaNode child : nodes.values()) {
            if (id.equals(Id.cohort(child.parent()))) {
                long lending = limits(child, column).lending();
                long itsLeft = left(child.id(), column);
                left += lending == Limits.UNLIMITED ? itsLeft : Math.min(itsLeft, lending);
            }
        }
        boolean queue = id.kind() == QuotaNode.Kind.QUEUE;
        return queue ? left - usage.getOrDefault(id.name(), Map.of()).getOrDefault(column, 0L) : left;
    }

    /** Whether a queue may use that much more: nothing on its way up falls too low. */
    boolean fits(String queue, FlavorResource column, long amount) {
        charge(queue, column, amount);
        boolean fits = true;
        for (Id at = Id.queue(queue); at != null; ) {
            QuotaNode node = node(at);
            boolean root = node.parent().isEmpty();
            long borrowing = root ? 0 : limits(node, column).borrowing();
            fits &= borrowing == Limits.UNLIMITED || left(at, column) >= -borrowing;
            at = root ? null : Id.cohort(node.parent());
        }
        charge(queue, column, -amount);
        return fits;
    }

    /**
     * The share of a node as Kueue's documentation puts it (KEP-1714): for each resource, whatever the flavor, what it uses
     * above its own by what its parent could lend, the largest of these by the weight; in parts of 2^20. Without a parent 0.
     */
    long share(Id id, Collection<FlavorResource> columns) {
        return share(id, columns, column -> lendable(Id.cohort(node(id).parent()), column));
    }

    /** The same where it is known what could be lent. */
    long share(Id id, Collection<FlavorResource> columns, ToLongFunction<FlavorResource> lends) {
        QuotaNode node = node(id);
        if (node.parent().isEmpty()) {
            return 0;
        }
        TreeMap<String, Long> borrowed = new TreeMap<>();
        TreeMap<String, Long> lendable = new TreeMap<>();
        for (FlavorResource column : columns) {
            borrowed.merge(column.resource(), Math.max(0, -left(id, column)), Long::sum);
            lendable.merge(column.resource(), lends.applyAsLong(column), Long::sum);
        }
        long largest = 0;
        for (String resource : borrowed.keySet()) {
            long whole = lendable.get(resource);
            largest = Math.max(largest, whole == 0 ? 0 : (borrowed.get(resource) << 20) / whole);
        }
        return node.weightMilli() == 0 ? largest : largest * 1000 / node.weightMilli();
    }

    /** What somebody below a node who owns nothing could use, if nobody used anything. */
    private long lendable(Id parent, FlavorResource column) {
        NaiveQuota empty = new NaiveQuota(nodes.values());
        empty.nodes.put(Id.queue("probe"), new QuotaNode(Id.queue("probe"), parent.name(), 1000, new TreeMap<>()));
        long most = 0;
        while (empty.fits("probe", column, most + 1)) {
            most++;
        }
        return most;
    }

    private QuotaNode node(Id id) {
        return nodes.getOrDefault(id, new QuotaNode(id, "", 1000, new TreeMap<>()));
    }

    private static Limits limits(QuotaNode node, FlavorResource column) {
        return node.limits().getOrDefault(column, Limits.NONE);
    }
}
