package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.FlavorQuotas;
import dev.muster.scheduler.core.model.QuotaObject.ResourceFlavor;
import dev.muster.scheduler.core.model.QuotaObject.ResourceGroup;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.state.QueueTrees;
import dev.muster.scheduler.core.state.Queues;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Flavors for the pod sets of a workload, as a ClusterQueue has quota for them now: one flavor per resource group and pod
 * set (Kueue, Flavors and borrowing semantics).
 *
 * <p>Kueue tries flavors in their order and takes the first that does, by flavorFungibility; that assignment is the first
 * that is found here. Others follow it, in case there are no nodes with room for the first.
 */
final class FlavorSearch {
    /** So many assignments of a workload are tried on nodes, so many are looked at in all. */
    private static final int MOST = 16;

    private static final int MOST_STEPS = 2_000;

    private final QueueTrees objects;
    private final QuotaTree tree;
    private final String queue;
    private final ClusterQueue described;
    private final Workload workload;
    private final List<QuotaDemand> demands;
    private final When when;
    private final TreeMap<FlavorResource, Long> assumed = new TreeMap<>();
    private final TreeMap<String, SortedMap<String, String>> chosen = new TreeMap<>();
    private final List<Assignment> found = new ArrayList<>();
    private final List<Obstacle> obstacles = new ArrayList<>();
    private int most = MOST;
    private int steps;

    /**
     * Flavors by pod set and resource.
     *
     * @param borrows any of it is borrowed
     * @param byPreemption others are to be evicted for it
     */
    record Assignment(SortedMap<String, SortedMap<String, String>> flavors, boolean borrows, boolean byPreemption) {}

    /** For when assignments are looked for. */
    enum When {
        /** With what is used now. */
        NOW,
        /** As if nothing were used, but for what has to be borrowed. */
        IF_OTHERS_GO,
        /** As if nothing were used, and all flavors in the order that the queue lists them in. */
        EMPTY
    }

    /** What a flavor would be charged for. */
    record Option(SortedMap<FlavorResource, Long> amounts) {}

    /**
     * Why a flavor does not do for a pod set.
     *
     * @param flavor empty where the resource is covered by no flavor at all
     * @param resource that there is too little of; empty where pods may not have the flavor
     * @param asked of the resource
     * @param available of it now
     * @param potential of it, if nothing were used
     * @param why pods may not have the flavor; empty where they may
     */
    record Obstacle(String flavor, String resource, long asked, long available, long potential, String why) {
        /** Whether it will never do. */
        boolean lasting() {
            return !why.isEmpty() || asked > potential;
        }
    }

    FlavorSearch(QueueTrees objects, QuotaTree tree, Workload workload, List<QuotaDemand> demands, When when) {
        this.when = when;
        this.objects = objects;
        this.tree = tree;
        this.queue = workload.queueRef().name();
        this.described = objects.clusterQueue(queue);
        this.workload = workload;
        this.demands = demands;
    }

    /** Assignments that there is quota for, the one to prefer first; none where there is too little for any. */
    List<Assignment> assignments() {
        chosen.putAll(workload.flavors());
        assign(0, 0);
        return found;
    }

    /**
     * Flavors that pods of a single pod set may have, whatever there is of them: of each resource group that is asked, in the
     * order of the group. Null where a resource is in no group, so that nothing will ever do.
     */
    List<List<Option>> options() {
        QuotaDemand asked = demands.getFirst();
        if (!covered(asked)) {
            return null;
        }
        List<List<Option>> options = new ArrayList<>();
        for (ResourceGroup group : described.groups()) {
            List<String> resources = asked(asked, group);
            if (!resources.isEmpty()) {
                options.add(options(asked, group, resources));
            }
        }
        return options;
    }

    private List<Option> options(QuotaDemand asked, ResourceGroup group, List<String> resources) {
        List<Option> options = new ArrayList<>();
        for (FlavorQuotas each : group.flavors()) {
            ResourceFlavor flavor = objects.flavor(each.flavor());
            boolean allowed = asked.requirements().stream()
                    .allMatch(requirement -> refusal(requirement, group, flavor).isEmpty());
            if (allowed) {
                TreeMap<FlavorResource, Long> amounts = new TreeMap<>();
                resources.forEach(resource -> amounts.put(
                        new FlavorResource(each.flavor(), resource),
                        asked.amounts().get(resource)));
                options.add(new Option(amounts));
            }
        }
        return options;
    }

    private static List<String> asked(QuotaDemand asked, ResourceGroup group) {
        return group.resources().stream()
                .filter(resource -> asked.amounts().getOrDefault(resource, 0L) > 0)
                .toList();
    }

    /**
     * Flavors that a workload would get first: as there is quota now, else as if others went, else those of the queue that come
     * first.
     */
    static SortedMap<String, SortedMap<String, String>> likely(Queues queues, Workload workload) {
        ClusterQueue described =
                queues.objects().clusterQueue(workload.queueRef().name());
        QuotaTree tree = queues.treeOf(workload.queueRef());
        if (described == null
                || tree == null
                || !queues.objects().missingFlavors(described).isEmpty()) {
            return workload.flavors();
        }
        List<QuotaDemand> demands = QuotaDemand.ofMinimum(workload);
        for (When when : new When[] {When.NOW, When.EMPTY}) {
            FlavorSearch search = new FlavorSearch(queues.objects(), tree, workload, demands, when);
            search.most = 1;
            List<Assignment> found = search.assignments();
            if (!found.isEmpty()) {
                return found.getFirst().flavors();
            }
        }
        TreeMap<String, SortedMap<String, String>> first = new TreeMap<>();
        for (QuotaDemand demand : demands) {
            TreeMap<String, String> its = new TreeMap<>();
            for (ResourceGroup group : described.groups()) {
                group.flavors().stream()
                        .limit(1)
                        .forEach(flavor -> group.resources().forEach(resource -> its.put(resource, flavor.flavor())));
            }
            first.put(demand.podSet().name(), its);
        }
        return first;
    }

    /** What stood in the way, of the first pod set and resource group for which no flavor would do. */
    List<Obstacle> obstacles() {
        return obstacles;
    }

    private void assign(int demand, int group) {
        if (found.size() == most || ++steps > MOST_STEPS) {
            return;
        }
        if (demand == demands.size()) {
            found.add(new Assignment(Collections.unmodifiableSortedMap(new TreeMap<>(chosen)), borrows(), false));
            return;
        }
        QuotaDemand asked = demands.get(demand);
        if (group == described.groups().size()) {
            if (covered(asked)) {
                assign(demand + 1, 0);
            }
            return;
        }
        ResourceGroup from = described.groups().get(group);
        List<String> resources = asked(asked, from);
        if (resources.isEmpty()) {
            assign(demand, group + 1);
            return;
        }
        for (String flavor : inOrder(asked, from, resources)) {
            SortedMap<String, String> before = chosen.get(asked.podSet().name());
            take(asked, resources, flavor, 1);
            assign(demand, group + 1);
            take(asked, resources, flavor, -1);
            putBack(asked.podSet().name(), before);
        }
    }

    private void take(QuotaDemand asked, List<String> resources, String flavor, int sign) {
        SortedMap<String, String> its =
                new TreeMap<>(chosen.getOrDefault(asked.podSet().name(), new TreeMap<>()));
        for (String resource : resources) {
            its.put(resource, flavor);
            assumed.merge(
                    new FlavorResource(flavor, resource),
                    sign * asked.amounts().get(resource),
                    (one, other) -> one + other == 0 ? null : one + other);
        }
        chosen.put(asked.podSet().name(), Collections.unmodifiableSortedMap(its));
    }

    private void putBack(String podSet, SortedMap<String, String> before) {
        if (before == null) {
            chosen.remove(podSet);
        } else {
            chosen.put(podSet, before);
        }
    }

    /** Whether every resource is in a group; the number of pods need not be. */
    private boolean covered(QuotaDemand asked) {
        for (var amount : asked.amounts().entrySet()) {
            boolean known = described.groups().stream()
                    .anyMatch(group -> group.resources().contains(amount.getKey()));
            if (!known && amount.getValue() > 0 && !amount.getKey().equals(ResourceNames.PODS)) {
                obstacles.add(new Obstacle("", amount.getKey(), amount.getValue(), 0, 0, "is covered by no flavor"));
                return false;
            }
        }
        return true;
    }

    /** Flavors of a group that do, as flavorFungibility prefers them. What does not is noted. */
    private List<String> inOrder(QuotaDemand asked, ResourceGroup group, List<String> resources) {
        List<String> owned = new ArrayList<>();
        List<String> borrowed = new ArrayList<>();
        List<Obstacle> here = new ArrayList<>();
        String given = workload.flavors()
                .getOrDefault(asked.podSet().name(), new TreeMap<>())
                .getOrDefault(resources.getFirst(), "");
        for (FlavorQuotas each : group.flavors()) {
            if (!given.isEmpty() && !given.equals(each.flavor())) {
                continue; // what runs of it has another
            }
            Obstacle obstacle = obstacle(asked, group, each.flavor(), resources);
            if (obstacle != null) {
                here.add(obstacle);
            } else if (described.fungibility().borrowStops()
                    || when == When.EMPTY
                    || !borrows(asked, each.flavor(), resources)) {
                owned.add(each.flavor());
            } else {
                borrowed.add(each.flavor());
            }
        }
        owned.addAll(borrowed);
        if (owned.isEmpty() && obstacles.isEmpty()) {
            obstacles.addAll(here);
        }
        return owned;
    }

    private Obstacle obstacle(QuotaDemand asked, ResourceGroup group, String name, List<String> resources) {
        ResourceFlavor flavor = objects.flavor(name);
        for (Requirement requirement : asked.requirements()) {
            String why = refusal(requirement, group, flavor);
            if (!why.isEmpty()) {
                return new Obstacle(name, "", 0, 0, 0, why);
            }
        }
        Obstacle first = null;
        for (String resource : resources) {
            FlavorResource column = new FlavorResource(name, resource);
            long wanted = asked.amounts().get(resource) + assumed.getOrDefault(column, 0L);
            long potential = tree.potential(Id.queue(queue), column);
            long available = when == When.NOW ? tree.available(queue, column) : potential;
            if (wanted > available) {
                Obstacle lack = new Obstacle(name, resource, wanted, available, potential, "");
                first = first == null || lack.lasting() && !first.lasting() ? lack : first;
            }
        }
        return first;
    }

    private boolean borrows(QuotaDemand asked, String flavor, List<String> resources) {
        return resources.stream()
                .anyMatch(resource -> borrows(
                        new FlavorResource(flavor, resource), asked.amounts().get(resource)));
    }

    private boolean borrows() {
        return assumed.keySet().stream().anyMatch(column -> borrows(column, 0));
    }

    private boolean borrows(FlavorResource column, long more) {
        long now = when == When.EMPTY ? 0 : tree.usage(Id.queue(queue), column);
        long used = now + assumed.getOrDefault(column, 0L) + more;
        return used > tree.quota(Id.queue(queue), column);
    }

    /**
     * Why pods may not have a flavor; empty where they may. They must tolerate its taints, and what they say of labels that
     * flavors of the group have must hold for its own; what they say of other labels, nodes decide.
     */
    private String refusal(Requirement requirement, ResourceGroup group, ResourceFlavor flavor) {
        List<Toleration> tolerations = new ArrayList<>(requirement.tolerations());
        tolerations.addAll(flavor.tolerations());
        for (Taint taint : flavor.taints()) {
            if (taint.forbids() && tolerations.stream().noneMatch(toleration -> toleration.tolerates(taint))) {
                return "taint " + taint.key() + " is not tolerated";
            }
        }
        Set<String> keys = new HashSet<>();
        for (FlavorQuotas each : group.flavors()) {
            keys.addAll(objects.flavor(each.flavor()).nodeLabels().keySet());
        }
        for (Label label : requirement.nodeSelector()) {
            if (keys.contains(label.key())
                    && !label.value().equals(flavor.nodeLabels().get(label.key()))) {
                return "pods want nodes with label " + label.key() + "=" + label.value();
            }
        }
        return matchesAny(requirement.requiredTerms(), keys, flavor) ? "" : "pods want other nodes by affinity";
    }

    private static boolean matchesAny(List<NodeTerm> terms, Set<String> keys, ResourceFlavor flavor) {
        if (terms.isEmpty()) {
            return true;
        }
        for (NodeTerm term : terms) {
            List<NodeExpression> ofFlavors = term.expressions().stream()
                    .filter(expression -> !expression.onField() && keys.contains(expression.key()))
                    .toList();
            if (NodeExpression.all(ofFlavors, flavor.nodeLabels())) {
                return true; // also where nothing of the term is about flavors
            }
        }
        return false;
    }
}
