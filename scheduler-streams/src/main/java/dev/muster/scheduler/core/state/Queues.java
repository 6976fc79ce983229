package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.FlavorNodes;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.FlavorQuotas;
import dev.muster.scheduler.core.model.QuotaObject.LocalQueue;
import dev.muster.scheduler.core.model.QuotaObject.ResourceFlavor;
import dev.muster.scheduler.core.model.QuotaObject.ResourceGroup;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.state.Workload.QueueKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Which queue each workload is charged to, what queues may use and use, and who waits in them. */
public final class Queues {
    private final DomainState state;
    private final QuotaLedger ledger;
    private final LocalUsage localUsage = new LocalUsage();
    private boolean restoring;
    /** Null until it is asked for, and again when an object changed. */
    private QueueTrees objects;

    private QuotaTree kueue;
    private QuotaTree volcano;
    /** Null until it is asked for, and again when an object changed, what nodes have, or, by weight, in each round. */
    private VolcanoShares volcanoShares;

    private SortedMap<String, Long> total = new TreeMap<>();

    /** What waits in queues of Kueue, by the queue's key; only looked up. */
    private final Map<String, TreeMap<QueueKey, Workload>> waiting = new HashMap<>();
    /** Who was in front of each of them when it was last looked at; only looked up. */
    private final Map<String, Workload> inFront = new HashMap<>();
    /** Workloads with pods that are charged without a flavor, though their queue has some. */
    private final TreeMap<WorkloadId, Workload> unflavored = new TreeMap<>();
    /** Queues that somebody came to or left since the last entry. */
    private final TreeSet<String> movement = new TreeSet<>();

    Queues(DomainState state, QuotaLedger ledger) {
        this.state = state;
        this.ledger = ledger;
    }

    // ---- objects

    /** The objects by name. */
    public QueueTrees objects() {
        if (objects == null) {
            objects = new QueueTrees(state.policies.values());
        }
        return objects;
    }

    /** The LocalQueue that a workload names, where it is; null where it is not there. */
    public Row.PolicyObject localQueueOf(Workload workload) {
        String cluster = workload.job == null ? workload.cluster() : workload.job.cluster();
        if (!cluster.isEmpty()) {
            return localQueue(cluster, workload.namespace(), workload.localQueue);
        }
        for (ClusterState each : state.clusters()) {
            Row.PolicyObject found = localQueue(each.name(), workload.namespace(), workload.localQueue);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Row.PolicyObject localQueue(String cluster, String namespace, String name) {
        return state.policies.get(Kinds.LOCAL_QUEUE + "/" + cluster + "/" + namespace + "/" + name);
    }

    /** Works out anew which queue a workload is charged to, from the names that it gives. */
    void resolve(Workload workload) {
        QueueRef ref = state.sharing.one(refOf(workload));
        workload.queueRef = ref;
        workload.queue = ref.name();
        if (!ref.equals(workload.chargedQueue)) {
            recharge(workload, ref, Workload.NO_FLAVORS);
        } else if (!LocalUsage.nameOf(workload).equals(workload.chargedLocalQueue)) {
            recharge(workload, ref, workload.flavors);
        }
    }

    private QueueRef refOf(Workload workload) {
        boolean submitted = workload.job != null && !workload.job.queue().isEmpty();
        if (submitted) {
            workload.localQueue = workload.job.queue();
        }
        if (workload.localQueue.isEmpty()) {
            return QueueRef.named(workload.queue);
        }
        Row.PolicyObject found = localQueueOf(workload);
        if (found != null && found.policy() instanceof LocalQueue local) {
            return QueueRef.clusterQueue(local.clusterQueue());
        }
        if (submitted) {
            // A job that came as an event may name a Volcano Queue as well.
            workload.localQueue = "";
            return QueueRef.named(workload.job.queue());
        }
        return QueueRef.missing(workload.namespace() + "/" + workload.localQueue);
    }

    /** An object changed that queues, flavors or the order within queues hang on. */
    void changed(Row.PolicyObject row) {
        if (QueueTrees.concerns(row.kind())) {
            objects = null;
            kueue = null;
            forgetVolcano();
            sampleLocalUsage();
        }
        if (row.kind().equals(Kinds.LOCAL_QUEUE)) {
            each(workload -> workload.namespace().equals(row.origin().namespace()), this::resolve);
        }
        if (row.kind().equals(Kinds.CLUSTER_QUEUE)) {
            String name = row.origin().name();
            // What runs in it may be to be drained.
            each(
                    workload -> workload.queueRef.name().equals(name) && workload.count(Member.Phase.BOUND) > 0,
                    workload -> {});
        }
        if (row.kind().equals(Kinds.RESOURCE_FLAVOR)) {
            each(workload -> !workload.flavors.isEmpty(), workload -> place(workload, workload.flavors));
        }
    }

    private void each(Predicate<Workload> which, Consumer<Workload> what) {
        List<Workload> concerned = new ArrayList<>();
        for (Workload workload : state.workloads.values()) {
            if (which.test(workload)) {
                concerned.add(workload);
            }
        }
        concerned.sort(Comparator.comparing(Workload::id));
        for (Workload workload : concerned) {
            what.accept(workload);
            state.touch(workload);
        }
    }

    // ---- usage

    /** The tree that a queue is in; null where it has no say in what may be used. */
    public QuotaTree treeOf(QueueRef queue) {
        QuotaTree tree = switch (queue.kind()) {
            case NAMED -> volcano();
            case CLUSTER_QUEUE -> kueue();
            case LOCAL_QUEUE -> null;
        };
        return tree != null && tree.knows(queue.name()) ? tree : null;
    }

    /** Queues and cohorts of Kueue, with what they use. */
    public QuotaTree kueue() {
        if (kueue == null) {
            kueue = new QuotaTree(objects().kueue(), usageOfKueue());
        }
        return kueue;
    }

    private SortedMap<String, SortedMap<FlavorResource, Long>> usageOfKueue() {
        SortedMap<String, SortedMap<FlavorResource, Long>> usage = new TreeMap<>();
        for (String key : ledger.usedByQueue().keySet()) {
            String name = QueueRef.clusterQueueOf(key);
            if (name != null) {
                usage.put(name, ledger.inQuotaUnits(key));
            }
        }
        return usage;
    }

    /** Volcano Queues, with what they use. */
    public QuotaTree volcano() {
        if (volcano == null) {
            volcano = new QuotaTree(objects().volcano(total), usageOfVolcano());
        }
        return volcano;
    }

    /** What Volcano Queues deserve, and their shares. */
    public VolcanoShares volcanoShares() {
        if (volcanoShares == null) {
            volcanoShares = state.policy().fairSharing().volcano() == VolcanoShare.PROPORTION
                    ? VolcanoShares.byWeight(objects(), total, VolcanoDemand.of(state, objects(), ledger))
                    : VolcanoShares.stated(objects(), total);
        }
        return volcanoShares;
    }

    /** What a workload asked for it asks for no more: where queues share by weight, others deserve more. */
    void asksForLess(Workload workload) {
        boolean byWeight = state.policy().fairSharing().volcano() == VolcanoShare.PROPORTION;
        if (byWeight && objects().volcanoQueues().containsKey(workload.queueRef.name())) {
            state.freeRoom();
        }
    }

    /** Queues share by another rule from now on. */
    void sharingChanged() {
        forgetVolcano();
    }

    private void forgetVolcano() {
        volcano = null;
        volcanoShares = null;
    }

    private SortedMap<String, SortedMap<FlavorResource, Long>> usageOfVolcano() {
        SortedMap<String, SortedMap<FlavorResource, Long>> usage = new TreeMap<>();
        objects().volcanoQueues().keySet().forEach(name -> usage.put(name, ledger.inQuotaUnits(name)));
        return usage;
    }

    /** A round begins: what nodes have in all may be something else by now. */
    public void roundBegins() {
        FairSharing sharing = state.policy().fairSharing();
        boolean byWeight = sharing.volcano() == VolcanoShare.PROPORTION;
        boolean byShareOfAll = (byWeight || sharing.drf() || sharing.volcano() == VolcanoShare.DOMINANT)
                && !objects().volcanoQueues().isEmpty();
        if (objects().guarantees() || byShareOfAll) {
            SortedMap<String, Long> now = new TreeMap<>();
            for (ClusterState cluster : state.clusters()) {
                for (NodeState node : cluster.nodes()) {
                    if (node.facts() != null) {
                        for (Amount amount : node.facts().allocatable()) {
                            now.merge(amount.resource(), QuotaUnits.of(amount.resource(), amount.amount()), Long::sum);
                        }
                    }
                }
            }
            if (!now.equals(total)) {
                total = now;
                forgetVolcano();
            }
        }
        if (byWeight) {
            volcanoShares = null; // it moves with all that comes and goes
        }
        for (Workload workload : List.copyOf(unflavored.values())) {
            findFlavors(workload);
        }
    }

    /** Counts the use of its queue's quota by so many members like this, or gives it back. */
    void charge(Workload workload, Member member, int times) {
        workload.charged += times;
        move(workload, member, times);
    }

    /** Counts so many pods like this member. */
    private void move(Workload workload, Member member, int times) {
        QueueRef queue = workload.chargedQueue;
        SortedMap<String, String> flavors = workload.flavorsOf(member.podSet());
        InternedRequirement requirement = member.requirement;
        workload.charge(flavors, requirement, times, state.sharing);
        ledger.charge(queue.key(), flavors, requirement, times, state.sharing);
        moveInTree(workload, member, times);
        moveOfLocalQueue(workload.chargedLocalQueue, requirement.charge(), times);
        String key = queue.key();
        state.dirty(Row.Table.QUOTAS, key, () -> ledger.row(key));
    }

    private void moveOfLocalQueue(String name, SortedMap<String, Long> charge, int times) {
        if (name.isEmpty()) {
            return;
        }
        if (restoring) {
            localUsage.countRestored(name, charge, times);
            return;
        }
        boolean sampled = objects().anyByUsage();
        localUsage.charge(name, charge, times, sampled, state.policy().fairSharing(), state.timeMillis());
        touchLocalUsage(name);
    }

    private void touchLocalUsage(String name) {
        state.dirty(Row.Table.QUOTAS, Row.LocalUsage.PREFIX + name, () -> localUsage.row(name));
    }

    /** What is remembered of a LocalQueue; comes before anything that is charged to it. */
    void restore(Row row) {
        if (row instanceof Row.LocalUsage usage) {
            localUsage.restore(usage);
        }
    }

    /** Rows are being taken, or all have been. */
    void restoring(boolean now) {
        restoring = now;
    }

    /** From now on another rule of sharing counts, or ClusterQueues ask for what was used: up to here the old one did. */
    void sampleLocalUsage() {
        if (objects().anyByUsage()) {
            localUsage.sampleAll(state.policy().fairSharing(), state.timeMillis());
            localUsage.names().forEach(this::touchLocalUsage);
        }
    }

    /** What the LocalQueue of a workload used lately, by its weight: the less, the sooner its workloads come. */
    public long usedLately(Workload workload) {
        int weightMilli =
                localQueueOf(workload) != null && localQueueOf(workload).policy() instanceof LocalQueue local
                        ? local.weightMilli()
                        : QuotaNode.DEFAULT_WEIGHT_MILLI;
        return localUsage.usedLately(
                LocalUsage.nameOf(workload), weightMilli, state.policy().fairSharing(), state.timeMillis());
    }

    private void moveInTree(Workload workload, Member member, int times) {
        QueueRef queue = workload.chargedQueue;
        SortedMap<String, String> flavors = workload.flavorsOf(member.podSet());
        InternedRequirement requirement = member.requirement;
        QuotaTree tree = queue.kind() == QueueRef.Kind.CLUSTER_QUEUE ? kueue : volcano;
        if (tree != null && tree.knows(queue.name())) {
            requirement
                    .charge()
                    .forEach((resource, amount) -> tree.charge(
                            queue.name(),
                            new FlavorResource(QuotaLedger.flavorOf(flavors, resource), resource),
                            times * amount));
        }
    }

    /** Both trees are there from now on: what is taken off on trial is taken off them. */
    void beginTrial() {
        kueue();
        volcano();
    }

    /** What a charged member uses is given back on trial, or taken again. */
    void onTrial(Member member, int sign) {
        moveInTree(member.podSet().workload(), member, sign);
    }

    /** The same of what is kept for pods of a workload that are not there. */
    void keptOnTrial(Workload workload, int sign) {
        workload.reserved.forEach((member, times) -> moveInTree(workload, member, sign * times));
    }

    /** Charges what a workload's members use to another queue, or as other flavors. */
    private void recharge(Workload workload, QueueRef queue, SortedMap<String, SortedMap<String, String>> flavors) {
        chargeAll(workload, -1);
        workload.chargedQueue = queue;
        workload.chargedLocalQueue = LocalUsage.nameOf(workload);
        place(workload, flavors);
        chargeAll(workload, 1);
        if (workload.charged > 0) {
            state.freeRoom();
        }
    }

    /** A workload that is restored has these flavors. */
    void restored(Workload workload, SortedMap<String, SortedMap<String, String>> flavors) {
        recharge(workload, workload.chargedQueue, flavors);
    }

    private void chargeAll(Workload workload, int sign) {
        for (PodSet podSet : workload.podSets.values()) {
            for (Member member : podSet.members()) {
                if (member.charged) {
                    move(workload, member, sign);
                }
            }
        }
        workload.reserved.forEach((member, times) -> move(workload, member, sign * times));
    }

    /** GPUs of another size come or go: what is charged as memory of one is given back before, and charged anew. */
    void whileMemoryIsOff(Runnable change) {
        List<Workload> concerned = new ArrayList<>();
        for (Workload workload : state.workloads.values()) {
            boolean asksForMemory = workload.podSets.values().stream()
                    .flatMap(podSet -> podSet.members().stream())
                    .anyMatch(member -> member.ownRequirement().gpuMemoryMib() > 0);
            if (asksForMemory) {
                concerned.add(workload);
            }
        }
        concerned.sort(Comparator.comparing(Workload::id));
        concerned.forEach(workload -> chargeAll(workload, -1));
        change.run();
        for (Workload workload : concerned) {
            chargeAll(workload, 1);
            state.touch(workload);
        }
        if (!concerned.isEmpty()) {
            state.freeRoom();
        }
    }

    // ---- what is kept for pods that are still to come

    /** So many pods of a workload, or all of it, are evicted for others: it keeps no quota for them. */
    public void gaveUp(Workload workload, int pods, boolean whole) {
        workload.entitled = whole ? 0 : Math.max(0, workload.entitled - pods);
    }

    /** Whether a workload keeps quota for pods that follow those that go. */
    public boolean keepsForLater(Workload workload) {
        return workload.group != null && workload.group.facts().wanted() > 0 && !workload.flavors.isEmpty();
    }

    private void keep(Workload workload, Map<Member, Integer> members) {
        if (!members.equals(workload.reserved)) {
            workload.reserved.forEach((member, times) -> move(workload, member, -times));
            workload.reserved = members;
            members.forEach((member, times) -> move(workload, member, times));
        }
    }

    /** Gives back what a workload keeps, for it to be used by its pods. {@link #settle} keeps again what is left. */
    public void release(Workload workload) {
        keep(workload, Collections.emptyMap());
    }

    // ---- flavors

    /** Flavors are chosen anew for one of which nothing is charged. */
    public void forgetFlavors(Workload workload) {
        if (workload.charged == 0 && workload.reserved.isEmpty()) {
            give(workload, Workload.NO_FLAVORS);
        }
    }

    /** Gives a workload flavors: on trial, until something is placed there. What is charged already is charged as those. */
    public void give(Workload workload, SortedMap<String, SortedMap<String, String>> flavors) {
        if (!flavors.equals(workload.flavors)) {
            chargeAll(workload, -1);
            place(workload, flavors);
            chargeAll(workload, 1);
        }
    }

    private void place(Workload workload, SortedMap<String, SortedMap<String, String>> flavors) {
        Map<String, FlavorNodes> nodes = new HashMap<>();
        flavors.forEach((podSet, byResource) -> nodes.put(podSet, nodesOf(byResource.values())));
        workload.giveFlavors(flavors, nodes);
    }

    private FlavorNodes nodesOf(Collection<String> flavors) {
        TreeMap<String, Label> labels = new TreeMap<>();
        List<Toleration> tolerations = new ArrayList<>();
        for (String name : flavors.stream().distinct().toList()) {
            ResourceFlavor flavor = objects().flavor(name);
            if (flavor != null) {
                flavor.nodeLabels().forEach((key, value) -> labels.put(key, new Label(key, value)));
                tolerations.addAll(flavor.tolerations());
            }
        }
        return new FlavorNodes(List.copyOf(labels.values()), tolerations);
    }

    /** Of a pod set whose pods were found running: each group's first flavor whose labels their node has, else its first. */
    private void findFlavors(Workload workload) {
        ClusterQueue queue = objects().clusterQueue(workload.queueRef.name());
        ClusterState cluster = state.cluster(workload.cluster());
        if (queue == null || cluster == null || !Kinds.QUOTA.stream().allMatch(cluster::listed)) {
            return;
        }
        SortedMap<String, SortedMap<String, String>> found = new TreeMap<>(workload.flavors);
        for (PodSet podSet : workload.podSets.values()) {
            Member first = podSet.members().stream()
                    .filter(member -> member.charged)
                    .findFirst()
                    .orElse(null);
            if (first != null && !found.containsKey(podSet.name())) {
                SortedMap<String, String> its = new TreeMap<>();
                for (ResourceGroup group : queue.groups()) {
                    String flavor = found(group, first);
                    group.resources().forEach(resource -> its.put(resource, flavor));
                }
                found.put(podSet.name(), Collections.unmodifiableSortedMap(its));
            }
        }
        recharge(workload, workload.chargedQueue, Collections.unmodifiableSortedMap(found));
        state.touch(workload);
    }

    private String found(ResourceGroup group, Member member) {
        NodeState node = member.node();
        for (FlavorQuotas each : group.flavors()) {
            ResourceFlavor flavor = objects().flavor(each.flavor());
            boolean there = flavor != null
                    && node != null
                    && node.facts() != null
                    && node.facts()
                            .labels()
                            .entrySet()
                            .containsAll(flavor.nodeLabels().entrySet());
            if (there) {
                return each.flavor();
            }
        }
        return group.flavors().isEmpty()
                ? QuotaLedger.NO_FLAVOR
                : group.flavors().getFirst().flavor();
    }

    // ---- who waits

    /** A workload stands where a round finds it. */
    void waits(QueueKey place, Workload workload) {
        if (workload.queueRef.ofKueue()) {
            String queue = workload.queueRef.key();
            workload.waitsIn = queue;
            waiting.computeIfAbsent(queue, key -> new TreeMap<>()).put(place, workload);
            movement.add(queue);
        }
    }

    /** It stands there no longer. */
    void waitsNoLonger(QueueKey place, Workload workload) {
        String queue = workload.waitsIn;
        if (!queue.isEmpty()) {
            TreeMap<QueueKey, Workload> there = waiting.get(queue);
            there.remove(place);
            if (there.isEmpty()) {
                waiting.remove(queue);
            }
            workload.waitsIn = "";
            movement.add(queue);
        }
    }

    /** What waits in a queue of Kueue, in the order in which it is looked at. */
    public Collection<Workload> waiting(QueueRef queue) {
        return waiting(queue.key());
    }

    private Collection<Workload> waiting(String queue) {
        TreeMap<QueueKey, Workload> there = waiting.get(queue);
        return there == null ? List.of() : there.values();
    }

    /** Something happened to a workload: flavors of nothing are forgotten, those of pods that were found are still to be. */
    public void settle(Workload workload) {
        keep(workload, Entitlement.toKeep(workload));
        if (workload.charged == 0 && workload.reserved.isEmpty() && !workload.flavors.isEmpty()) {
            give(workload, Workload.NO_FLAVORS);
        }
        if (lacksFlavors(workload)) {
            unflavored.put(workload.id(), workload);
        } else {
            unflavored.remove(workload.id());
        }
    }

    private static boolean lacksFlavors(Workload workload) {
        if (workload.charged == 0 || workload.queueRef.kind() != QueueRef.Kind.CLUSTER_QUEUE) {
            return false;
        }
        for (PodSet podSet : workload.podSets.values()) {
            if (!workload.flavors.containsKey(podSet.name())
                    && podSet.members().stream().anyMatch(member -> member.charged)) {
                return true;
            }
        }
        return false;
    }

    /** An entry is over: where the one in front of a strict queue is another, those behind have their chance. */
    void settleFronts() {
        for (String queue : movement) {
            Workload before = inFront.get(queue);
            Workload now = front(queue);
            if (before != now && before != null && now != null && strict(queue)) {
                state.freeRoom();
            }
            if (now == null) {
                inFront.remove(queue);
            } else {
                inFront.put(queue, now);
            }
        }
        movement.clear();
    }

    private boolean strict(String queue) {
        String name = QueueRef.clusterQueueOf(queue);
        ClusterQueue found = name == null ? null : objects().clusterQueue(name);
        return found != null && found.strict();
    }

    private Workload front(String queue) {
        for (Workload each : waiting(queue)) {
            if (!each.started()) {
                return each;
            }
        }
        return null;
    }

    /** What the trees say is used and others do not; empty where they agree. For the laws. */
    String difference() {
        for (QuotaTree kept : new QuotaTree[] {kueue, volcano}) {
            if (kept != null) {
                QuotaTree fresh = kept == kueue
                        ? new QuotaTree(objects().kueue(), usageOfKueue())
                        : new QuotaTree(objects().volcano(total), usageOfVolcano());
                for (QuotaNode.Id id : kept.ids()) {
                    for (FlavorResource column : kept.columns()) {
                        if (kept.usage(id, column) != fresh.usage(id, column)
                                || kept.quota(id, column) != fresh.quota(id, column)) {
                            return id + " counts " + kept.usage(id, column) + " of " + column + ", not "
                                    + fresh.usage(id, column);
                        }
                    }
                }
            }
        }
        return "";
    }

    void forget(Workload workload) {
        keep(workload, Collections.emptyMap());
        unflavored.remove(workload.id());
    }
}
