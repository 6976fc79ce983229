package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What Volcano Queues deserve, and the share they have of it (plugins capacity and proportion), or of all nodes (plugin drf).
 *
 * <p>Where queues state it, what a queue does not name it deserves as far as it is guaranteed, or as those below it deserve it; a
 * resource that no queue names is of no account. By weight, all resources count, and what a queue does not state follows from
 * what is there, what queues ask for and their weights ({@link Proportion}), level by level from the root.
 */
public final class VolcanoShares {
    private final QueueTrees objects;
    private final SortedMap<String, Long> total;
    /** By queue and resource, in units of quotas; only looked up. */
    private final Map<String, SortedMap<String, Long>> deserved = new HashMap<>();

    private final TreeSet<String> named = new TreeSet<>();
    private final boolean byWeight;

    private VolcanoShares(QueueTrees objects, SortedMap<String, Long> total, boolean byWeight) {
        this.objects = objects;
        this.total = total;
        this.byWeight = byWeight;
    }

    /**
     * What queues state that they deserve counts, and nothing else.
     *
     * @param total what all nodes have, in units of quotas
     */
    public static VolcanoShares stated(QueueTrees objects, SortedMap<String, Long> total) {
        VolcanoShares shares = new VolcanoShares(objects, total, false);
        shares.takeStated();
        return shares;
    }

    /**
     * What a queue does not state it deserves by its weight.
     *
     * @param total what all nodes have, in units of quotas
     * @param asked what is used and asked for in each queue and all below it, in the same units
     */
    static VolcanoShares byWeight(
            QueueTrees objects, SortedMap<String, Long> total, Map<String, SortedMap<String, Long>> asked) {
        VolcanoShares shares = new VolcanoShares(objects, total, true);
        shares.named.addAll(total.keySet());
        TreeMap<String, List<String>> below = objects.volcanoChildren();
        shares.divide(below.getOrDefault(QueueTrees.VOLCANO_ROOT, List.of()), total, below, asked);
        return shares;
    }

    /** Divides what is there among queues side by side, and what each gets among those below it. */
    private void divide(
            List<String> siblings,
            SortedMap<String, Long> whole,
            TreeMap<String, List<String>> below,
            Map<String, SortedMap<String, Long>> asked) {
        siblings.forEach(name -> deserved.put(name, new TreeMap<>()));
        for (String resource : named) {
            long all = whole.getOrDefault(resource, 0L);
            long guaranteed = 0;
            for (String name : siblings) {
                guaranteed += guaranteed(name, resource);
            }
            List<Proportion.Claim> claims = new ArrayList<>();
            for (String name : siblings) {
                Policy.Queue queue = objects.volcanoQueues().get(name);
                long least = guaranteed(name, resource);
                Long capability = QueueTrees.amount(queue.capability(), resource);
                long most = Math.min(
                        Math.max(0, all - guaranteed + least), // what others are guaranteed is never its
                        asked.getOrDefault(name, Collections.emptySortedMap()).getOrDefault(resource, 0L));
                most = Math.max(least, capability == null ? most : Math.min(most, capability));
                Long stated = QueueTrees.amount(queue.deserved(), resource);
                claims.add(
                        stated == null
                                ? new Proportion.Claim(name, queue.weight(), least, most)
                                : new Proportion.Claim(name, queue.weight(), stated, stated));
            }
            Proportion.divide(all, claims)
                    .forEach((name, amount) -> deserved.get(name).put(resource, amount));
        }
        for (String name : siblings) {
            divide(below.getOrDefault(name, List.of()), deserved.get(name), below, asked);
        }
    }

    private long guaranteed(String name, String resource) {
        Long amount = QueueTrees.amount(objects.volcanoQueues().get(name).guarantee(), resource);
        return amount == null ? 0 : amount;
    }

    private void takeStated() {
        objects.volcanoQueues()
                .values()
                .forEach(queue -> queue.deserved().forEach(amount -> named.add(amount.resource())));
        if (!named.isEmpty()) {
            TreeMap<String, List<String>> below = objects.volcanoChildren();
            objects.volcanoQueues().keySet().forEach(name -> deserved(name, below, 0));
        }
    }

    private SortedMap<String, Long> deserved(String name, TreeMap<String, List<String>> below, int depth) {
        SortedMap<String, Long> known = deserved.get(name);
        if (known != null || depth > objects.volcanoQueues().size()) {
            return known == null ? Collections.emptySortedMap() : known;
        }
        Policy.Queue queue = objects.volcanoQueues().get(name);
        TreeMap<String, Long> its = new TreeMap<>();
        for (String child : below.getOrDefault(name, List.of())) {
            deserved(child, below, depth + 1).forEach((resource, amount) -> its.merge(resource, amount, Long::sum));
        }
        for (String resource : named) {
            Long stated = QueueTrees.amount(queue.deserved(), resource);
            Long guaranteed = QueueTrees.amount(queue.guarantee(), resource);
            long least = guaranteed == null ? 0 : guaranteed;
            its.put(resource, Math.max(least, stated == null ? its.getOrDefault(resource, 0L) : stated));
        }
        deserved.put(name, its);
        return its;
    }

    /** Whether it is known of any queue what it deserves. */
    public boolean anyDeserved() {
        return byWeight ? !objects.volcanoQueues().isEmpty() : !named.isEmpty();
    }

    /** Whether what is deserved of a resource matters. */
    public boolean concerns(String resource) {
        return named.contains(resource);
    }

    /** What a queue deserves, with all below it. */
    public long deserved(Id node, String resource) {
        return deserved.getOrDefault(node.name(), Collections.emptySortedMap()).getOrDefault(resource, 0L);
    }

    /** What a queue is guaranteed of a resource. */
    public long guaranteed(Id node, String resource) {
        Policy.Queue queue = objects.volcanoQueues().get(node.name());
        Long amount = queue == null ? null : QueueTrees.amount(queue.guarantee(), resource);
        return amount == null ? 0 : amount;
    }

    /** Whether others may take back what a queue uses beyond what it deserves. */
    public boolean reclaimable(Id node) {
        Policy.Queue queue = objects.volcanoQueues().get(node.name());
        return queue == null || queue.reclaimable();
    }

    /** A queue's priority; of the root 0. */
    public int priority(Id node) {
        Policy.Queue queue = objects.volcanoQueues().get(node.name());
        return queue == null ? 0 : queue.priority();
    }

    /** The largest part of what it deserves that a queue uses, with all below it, over all resources. */
    public Share ofDeserved(Id node, QuotaTree tree) {
        return largest(node, tree, named, deserved.get(node.name()), QuotaNode.DEFAULT_WEIGHT_MILLI);
    }

    /** The largest part of what all nodes have that a queue uses, with all below it, by its weight. */
    public Share dominant(Id node, QuotaTree tree) {
        Policy.Queue queue = objects.volcanoQueues().get(node.name());
        int weightMilli = queue == null
                ? QuotaNode.DEFAULT_WEIGHT_MILLI
                : (int) Math.min(Integer.MAX_VALUE, queue.weight() * (long) QuotaNode.DEFAULT_WEIGHT_MILLI);
        return largest(node, tree, total.keySet(), total, weightMilli);
    }

    /** The largest part of what all nodes have that so much is, over all resources. */
    public Share dominant(SortedMap<FlavorResource, Long> used) {
        Share largest = Share.NOTHING;
        for (Map.Entry<FlavorResource, Long> each : used.entrySet()) {
            String resource = each.getKey().resource();
            long whole = total.getOrDefault(resource, 0L);
            Share share = Share.of(resource, each.getValue(), whole, QuotaNode.DEFAULT_WEIGHT_MILLI);
            largest = share.compareTo(largest) > 0 ? share : largest;
        }
        return largest;
    }

    private static Share largest(
            Id node, QuotaTree tree, Iterable<String> resources, SortedMap<String, Long> wholes, int weightMilli) {
        Share largest = Share.NOTHING;
        for (String resource : resources) {
            long used = tree.usedInAll(node, new FlavorResource(QuotaLedger.NO_FLAVOR, resource));
            long whole = wholes == null ? 0 : wholes.getOrDefault(resource, 0L);
            Share share = Share.of(resource, used, whole, weightMilli);
            largest = share.compareTo(largest) > 0 ? share : largest;
        }
        return largest;
    }
}
