package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.Cohort;
import dev.muster.scheduler.core.model.QuotaObject.FlavorQuotas;
import dev.muster.scheduler.core.model.QuotaObject.ResourceFlavor;
import dev.muster.scheduler.core.model.QuotaObject.ResourceGroup;
import dev.muster.scheduler.core.model.QuotaObject.ResourceQuota;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.Limits;
import dev.muster.scheduler.core.quota.QuotaNode;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaUnits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Queues, cohorts and flavors by name, as policy objects describe them, and the nodes of the quota trees that follow.
 *
 * <p>A domain's queues belong to all of its clusters. Where clusters describe one of a name differently, the first by the
 * cluster's name counts; what the operator publishes comes before all.
 */
public final class QueueTrees {
    /** Root of the Volcano Queues: what all nodes have, as far as nobody is guaranteed it. */
    static final String VOLCANO_ROOT = "/";

    /** More than can be asked for. */
    private static final long PLENTY = 1L << 60;

    private final TreeMap<String, ClusterQueue> clusterQueues = new TreeMap<>();
    private final TreeMap<String, Cohort> cohorts = new TreeMap<>();
    private final TreeMap<String, ResourceFlavor> flavors = new TreeMap<>();
    private final TreeMap<String, Policy.Queue> volcanoQueues = new TreeMap<>();
    private final TreeSet<String> bounded = new TreeSet<>();
    private final boolean anyByUsage;

    /** Takes the objects in the order of their keys. */
    public QueueTrees(Iterable<Row.PolicyObject> objects) {
        for (Row.PolicyObject row : objects) {
            String name = row.origin().name();
            switch (row.policy()) {
                case ClusterQueue queue -> clusterQueues.putIfAbsent(name, queue);
                case Cohort cohort -> cohorts.putIfAbsent(name, cohort);
                case ResourceFlavor flavor -> flavors.putIfAbsent(name, flavor);
                case Policy.Queue queue -> volcanoQueues.putIfAbsent(name, queue);
                default -> {
                    // Others describe no tree.
                }
            }
        }
        anyByUsage = clusterQueues.values().stream().anyMatch(ClusterQueue::byUsage);
        volcanoQueues.values().forEach(queue -> {
            queue.capability().forEach(amount -> bounded.add(amount.resource()));
            queue.guarantee().forEach(amount -> bounded.add(amount.resource()));
        });
    }

    /** Whether objects of a kind have a part in the trees. */
    static boolean concerns(String kind) {
        return switch (kind) {
            case Kinds.CLUSTER_QUEUE, Kinds.COHORT, Kinds.RESOURCE_FLAVOR, Kinds.VOLCANO_QUEUE -> true;
            default -> false;
        };
    }

    /** The ClusterQueue of a name; null where there is none. */
    public ClusterQueue clusterQueue(String name) {
        return clusterQueues.get(name);
    }

    /** The ResourceFlavor of a name; null where there is none. */
    public ResourceFlavor flavor(String name) {
        return flavors.get(name);
    }

    /** All ClusterQueues, by name. */
    public SortedMap<String, ClusterQueue> clusterQueues() {
        return Collections.unmodifiableSortedMap(clusterQueues);
    }

    /** All Volcano Queues, by name. */
    public SortedMap<String, Policy.Queue> volcanoQueues() {
        return Collections.unmodifiableSortedMap(volcanoQueues);
    }

    /** Flavors that a ClusterQueue names and nobody describes. */
    public List<String> missingFlavors(ClusterQueue queue) {
        return queue.groups().stream()
                .flatMap(group -> group.flavors().stream())
                .map(FlavorQuotas::flavor)
                .filter(flavor -> !flavors.containsKey(flavor))
                .toList();
    }

    /** Whether LocalQueues of any ClusterQueue come in the order of what they used. */
    public boolean anyByUsage() {
        return anyByUsage;
    }

    /** Nodes of the tree of Kueue's queues and cohorts. */
    public List<QuotaNode> kueue() {
        List<QuotaNode> nodes = new ArrayList<>();
        clusterQueues.forEach((name, queue) ->
                nodes.add(new QuotaNode(Id.queue(name), queue.cohort(), queue.weightMilli(), limits(queue.groups()))));
        cohorts.forEach((name, cohort) -> nodes.add(
                new QuotaNode(Id.cohort(name), cohort.parent(), cohort.weightMilli(), limits(cohort.groups()))));
        return nodes;
    }

    private static SortedMap<FlavorResource, Limits> limits(List<ResourceGroup> groups) {
        SortedMap<FlavorResource, Limits> limits = new TreeMap<>();
        for (ResourceGroup group : groups) {
            for (FlavorQuotas flavor : group.flavors()) {
                for (ResourceQuota quota : flavor.resources()) {
                    String resource = quota.resource();
                    limits.put(
                            new FlavorResource(flavor.flavor(), resource),
                            new Limits(
                                    QuotaUnits.of(resource, quota.nominal()),
                                    QuotaUnits.of(resource, quota.borrowing()),
                                    QuotaUnits.of(resource, quota.lending())));
                }
            }
        }
        return limits;
    }

    /** Whether any Volcano Queue bounds or is guaranteed a resource. */
    public boolean bounds(String resource) {
        return bounded.contains(resource);
    }

    /** Whether what all nodes have matters: some of it is kept for somebody. */
    public boolean guarantees() {
        return volcanoQueues.values().stream()
                .anyMatch(queue -> !queue.guarantee().isEmpty());
    }

    /**
     * Nodes of the tree of Volcano Queues, each a cohort with a queue of its name in it. A guarantee is what a queue owns and
     * lends to nobody; capability bounds what it uses in all; what nobody is guaranteed, everybody may borrow from the root
     * (Volcano, plugin capacity: a queue's real capability).
     *
     * @param total what all nodes have, in units of quotas; of no account where nobody is guaranteed anything
     */
    public List<QuotaNode> volcano(SortedMap<String, Long> total) {
        TreeMap<String, SortedMap<FlavorResource, Limits>> limits = new TreeMap<>();
        volcanoQueues.keySet().forEach(name -> limits.put(name, new TreeMap<>()));
        TreeMap<FlavorResource, Limits> ofRoot = new TreeMap<>();
        for (String resource : bounded) {
            FlavorResource column = new FlavorResource(QuotaLedger.NO_FLAVOR, resource);
            TreeMap<String, Long> kept = new TreeMap<>();
            TreeMap<String, Long> ofChildren = new TreeMap<>();
            volcanoQueues.keySet().forEach(name -> keep(name, resource, kept, ofChildren, 0));
            volcanoQueues.forEach((name, queue) -> {
                long own = Math.max(0, kept.get(name) - ofChildren.getOrDefault(name, 0L));
                Long capability = amount(queue.capability(), resource);
                long more = capability == null ? Limits.UNLIMITED : Math.max(0, capability - kept.get(name));
                limits.get(name).put(column, new Limits(own, more, 0));
            });
            long all = guarantees() ? total.getOrDefault(resource, 0L) : PLENTY;
            long free = Math.max(0, all - ofChildren.getOrDefault(VOLCANO_ROOT, 0L));
            ofRoot.put(column, new Limits(free, Limits.UNLIMITED, Limits.UNLIMITED));
        }
        // What is only counted.
        TreeSet<String> counted = new TreeSet<>(total.keySet());
        volcanoQueues.values().forEach(queue -> queue.deserved().forEach(amount -> counted.add(amount.resource())));
        for (String resource : counted) {
            ofRoot.putIfAbsent(
                    new FlavorResource(QuotaLedger.NO_FLAVOR, resource),
                    new Limits(PLENTY, Limits.UNLIMITED, Limits.UNLIMITED));
        }
        List<QuotaNode> nodes = new ArrayList<>();
        nodes.add(new QuotaNode(Id.cohort(VOLCANO_ROOT), "", QuotaNode.DEFAULT_WEIGHT_MILLI, ofRoot));
        volcanoQueues.forEach((name, queue) -> {
            int weightMilli = (int) Math.min(Integer.MAX_VALUE, queue.weight() * 1000L);
            nodes.add(new QuotaNode(Id.cohort(name), parentOf(name), weightMilli, limits.get(name)));
            nodes.add(new QuotaNode(Id.queue(name), name, QuotaNode.DEFAULT_WEIGHT_MILLI, new TreeMap<>()));
        });
        return nodes;
    }

    /** Names of the Volcano Queues below each, those below none at the root; by name. */
    TreeMap<String, List<String>> volcanoChildren() {
        TreeMap<String, List<String>> below = new TreeMap<>();
        volcanoQueues
                .keySet()
                .forEach(name -> below.computeIfAbsent(parentOf(name), parent -> new ArrayList<>())
                        .add(name));
        return below;
    }

    String parentOf(String name) {
        String parent = volcanoQueues.get(name).parent();
        return volcanoQueues.containsKey(parent) ? parent : VOLCANO_ROOT;
    }

    /** What is kept for a queue: its guarantee, or what is guaranteed to those below it where that is more. */
    private long keep(
            String name, String resource, TreeMap<String, Long> kept, TreeMap<String, Long> ofChildren, int depth) {
        Long known = kept.get(name);
        if (known != null || depth > volcanoQueues.size()) {
            return known == null ? 0 : known;
        }
        long below = 0;
        for (String other : volcanoQueues.keySet()) {
            if (parentOf(other).equals(name)) {
                below += keep(other, resource, kept, ofChildren, depth + 1);
            }
        }
        Long guaranteed = amount(volcanoQueues.get(name).guarantee(), resource);
        long its = Math.max(below, guaranteed == null ? 0 : guaranteed);
        if (kept.putIfAbsent(name, its) == null) {
            ofChildren.merge(parentOf(name), its, Long::sum);
        }
        return its;
    }

    static Long amount(List<Amount> amounts, String resource) {
        return amounts.stream()
                .filter(amount -> amount.resource().equals(resource))
                .map(amount -> QuotaUnits.of(resource, amount.amount()))
                .findFirst()
                .orElse(null);
    }
}
