package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.PreferredPodTerm;
import dev.muster.scheduler.core.model.SpreadConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which rules the pods known have about other pods: each distinct one is kept once, as a group of the pods it speaks of,
 * for as long as some pod has it. Groups are found by a label that their pods must have.
 */
final class TermRegistry {
    private final Consumer<PodGroup> fill;
    private final Map<TermGroup.Key, TermGroup> terms = new HashMap<>();
    private final Map<SpreadGroup.Key, SpreadGroup> spreads = new HashMap<>();
    private final Map<Use, Uses> inUse = new HashMap<>();
    /** Groups of a cluster by a label that the pods they select must have; under null those for which there is none. */
    private final Map<String, Map<Label, List<PodGroup>>> byHandle = new HashMap<>();

    /** Groups of a cluster that choose namespaces by labels. */
    private final Map<String, Integer> byNamespaceLabels = new HashMap<>();

    /** Rules in a cluster, by their number: a pod has the same ones on the nodes of whatever flavor. */
    private record Use(String cluster, int podRules) {}

    /** The groups of a requirement's rules, and how many pods have it. */
    static final class Uses {
        /** All terms of its affinity; null where it has none. */
        final TermGroup affinity;

        /** One for each term of its anti-affinity. */
        final List<TermGroup> apart;

        /** One for each of its preferred terms. */
        final List<TermGroup.Weighted> wishes;

        /** The same and one for each term of its affinity: what it wishes of others once it has a place. */
        final List<TermGroup.Weighted> pulls;

        /** One for each of its spread constraints. */
        final List<SpreadGroup> spread;

        private int pods;

        private Uses(
                TermGroup affinity,
                List<TermGroup> apart,
                List<TermGroup.Weighted> wishes,
                List<TermGroup.Weighted> pulls,
                List<SpreadGroup> spread) {
            this.affinity = affinity;
            this.apart = List.copyOf(apart);
            this.wishes = List.copyOf(wishes);
            this.pulls = List.copyOf(pulls);
            this.spread = List.copyOf(spread);
        }

        private static final Uses NONE = new Uses(null, List.of(), List.of(), List.of(), List.of());
    }

    /** @param fill counts the pods that are there already for a group that is new */
    TermRegistry(Consumer<PodGroup> fill) {
        this.fill = fill;
    }

    /** Whether no pod has any rule about others. */
    boolean none() {
        return terms.isEmpty() && spreads.isEmpty();
    }

    /** Whether some rule in a cluster chooses namespaces by their labels. */
    boolean looksAtNamespaces(String cluster) {
        return byNamespaceLabels.getOrDefault(cluster, 0) > 0;
    }

    /** The groups of a requirement's rules; without any where no pod known has them. */
    Uses of(InternedRequirement requirement, String cluster) {
        if (requirement.requirement().pods().none()) {
            return Uses.NONE;
        }
        return inUse.getOrDefault(new Use(cluster, requirement.podRules()), Uses.NONE);
    }

    /** A pod with this requirement is known from now on, or (-1) no longer: waiting, placed, or room held for it. */
    void refer(InternedRequirement requirement, String cluster, int sign) {
        PodRules rules = requirement.requirement().pods();
        if (rules.none()) {
            return;
        }
        Use use = new Use(cluster, requirement.podRules());
        Uses uses = inUse.get(use);
        if (uses == null) {
            uses = uses(rules, cluster);
            inUse.put(use, uses);
        }
        uses.pods += sign;
        if (uses.affinity != null) {
            uses.affinity.affinities += sign;
            refer(uses.affinity, sign);
        }
        for (TermGroup group : uses.apart) {
            refer(group, sign);
        }
        for (TermGroup.Weighted pull : uses.pulls) {
            refer(pull.group(), sign);
        }
        for (int i = 0; i < uses.spread.size(); i++) {
            uses.spread.get(i).required += rules.spread().get(i).required() ? sign : 0;
            refer(uses.spread.get(i), sign);
        }
        if (uses.pods == 0) {
            inUse.remove(use);
        }
    }

    private Uses uses(PodRules rules, String cluster) {
        TermGroup affinity = rules.affinity().isEmpty() ? null : group(new TermGroup.Key(cluster, rules.affinity()));
        List<TermGroup> apart = new ArrayList<>();
        for (PodTerm term : rules.antiAffinity()) {
            apart.add(group(new TermGroup.Key(cluster, List.of(term))));
        }
        List<TermGroup.Weighted> wishes = new ArrayList<>();
        for (PreferredPodTerm preferred : rules.preferred()) {
            TermGroup group = group(new TermGroup.Key(cluster, List.of(preferred.term())));
            wishes.add(new TermGroup.Weighted(group, preferred.weight()));
        }
        List<TermGroup.Weighted> pulls = new ArrayList<>(wishes);
        for (PodTerm term : rules.affinity()) {
            TermGroup group = group(new TermGroup.Key(cluster, List.of(term)));
            pulls.add(new TermGroup.Weighted(group, TermGroup.REQUIRED_WEIGHT));
        }
        List<SpreadGroup> spread = new ArrayList<>();
        for (SpreadConstraint constraint : rules.spread()) {
            spread.add(group(SpreadGroup.Key.of(cluster, constraint)));
        }
        return new Uses(affinity, apart, wishes, pulls, spread);
    }

    private TermGroup group(TermGroup.Key key) {
        TermGroup known = terms.get(key);
        if (known != null) {
            return known;
        }
        TermGroup group = new TermGroup(key);
        terms.put(key, group);
        add(group);
        return group;
    }

    private SpreadGroup group(SpreadGroup.Key key) {
        SpreadGroup known = spreads.get(key);
        if (known != null) {
            return known;
        }
        SpreadGroup group = new SpreadGroup(key);
        spreads.put(key, group);
        add(group);
        return group;
    }

    private void add(PodGroup group) {
        byNamespaceLabels.merge(group.cluster(), group.looksAtNamespaces() ? 1 : 0, Integer::sum);
        bucket(group).add(group);
        fill.accept(group);
    }

    private void refer(PodGroup group, int sign) {
        group.references += sign;
        if (group.references > 0) {
            return;
        }
        switch (group) {
            case TermGroup term -> terms.remove(term.key());
            case SpreadGroup spread -> spreads.remove(spread.key());
        }
        bucket(group).remove(group);
        byNamespaceLabels.merge(group.cluster(), group.looksAtNamespaces() ? -1 : 0, Integer::sum);
    }

    private List<PodGroup> bucket(PodGroup group) {
        NodeExpression handle = group.handle();
        Label label =
                handle == null ? null : new Label(handle.key(), handle.values().getFirst());
        return byHandle.computeIfAbsent(group.cluster(), name -> new HashMap<>())
                .computeIfAbsent(label, same -> new ArrayList<>());
    }

    /** The groups that a pod in this cluster is one of. */
    List<PodGroup> selecting(String cluster, SeenPod pod, Map<String, String> namespaceLabels) {
        Map<Label, List<PodGroup>> buckets = none() ? null : byHandle.get(cluster);
        if (buckets == null) {
            return List.of();
        }
        List<PodGroup> selecting = new ArrayList<>();
        addSelecting(buckets.get(null), pod, namespaceLabels, selecting);
        for (Map.Entry<String, String> label : pod.labels().entrySet()) {
            addSelecting(buckets.get(new Label(label.getKey(), label.getValue())), pod, namespaceLabels, selecting);
        }
        return selecting;
    }

    private static void addSelecting(
            List<PodGroup> bucket, SeenPod pod, Map<String, String> namespaceLabels, List<PodGroup> into) {
        if (bucket != null) {
            for (PodGroup group : bucket) {
                if (group.selects(pod, namespaceLabels)) {
                    into.add(group);
                }
            }
        }
    }

    void clear() {
        terms.clear();
        spreads.clear();
        inUse.clear();
        byHandle.clear();
        byNamespaceLabels.clear();
    }

    /** What differs from a registry that was worked out from scratch; empty when nothing does. */
    String difference(TermRegistry fresh) {
        if (!fresh.terms.keySet().equals(terms.keySet())
                || !fresh.spreads.keySet().equals(spreads.keySet())) {
            return "rules " + terms.keySet() + spreads.keySet() + " are kept, not " + fresh.terms.keySet()
                    + fresh.spreads.keySet();
        }
        TreeMap<String, String> differences = new TreeMap<>();
        terms.forEach((key, kept) -> {
            if (!kept.sameAs(fresh.terms.get(key))) {
                differences.put(key.toString(), "counted: " + kept + "; there are: " + fresh.terms.get(key));
            }
        });
        spreads.forEach((key, kept) -> {
            if (!kept.sameAs(fresh.spreads.get(key))) {
                differences.put(key.toString(), "counted: " + kept + "; there are: " + fresh.spreads.get(key));
            }
        });
        return differences.isEmpty() ? "" : differences.firstEntry().getValue();
    }
}
