package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodTerm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Terms of pod affinity that hold together in one member cluster, and how many pods there are at each place that they
 * speak of: one term of an anti-affinity, or all terms of an affinity, which must hold by pods that all of them select
 * (kube-scheduler's InterPodAffinity counts them so).
 */
public final class TermGroup {
    private final String cluster;
    private final List<PodTerm> terms;
    /** By term: pods that all terms select, by value of its topology key. */
    private final List<Map<String, Integer>> selected = new ArrayList<>();
    /** Pods that have this as a term of their anti-affinity, by value of its topology key. */
    private final Map<String, Integer> owners = new HashMap<>();
    /** Pods, waiting and placed, whose requirement has these terms. */
    int references;
    /** Those among them whose affinity this is. */
    int affinities;

    TermGroup(String cluster, List<PodTerm> terms) {
        this.cluster = cluster;
        this.terms = terms;
        terms.forEach(term -> selected.add(new HashMap<>()));
    }

    String cluster() {
        return cluster;
    }

    public List<PodTerm> terms() {
        return terms;
    }

    boolean selects(String namespace, Map<String, String> namespaceLabels, Map<String, String> labels) {
        for (PodTerm term : terms) {
            if (!term.selects(namespace, namespaceLabels, labels)) {
                return false;
            }
        }
        return true;
    }

    /** A label that every pod these terms select has; null where that can't be told. */
    NodeExpression handle() {
        for (PodTerm term : terms) {
            for (NodeExpression expression : term.selector()) {
                if (expression.operator().equals("In") && expression.values().size() == 1) {
                    return expression;
                }
            }
        }
        return null;
    }

    boolean looksAtNamespaces() {
        return terms.stream().anyMatch(term -> !term.namespaceSelector().isEmpty());
    }

    void countSelected(NodeState node, int sign) {
        for (int i = 0; i < terms.size(); i++) {
            count(selected.get(i), node, terms.get(i), sign);
        }
    }

    void countOwner(NodeState node, int sign) {
        count(owners, node, terms.getFirst(), sign);
    }

    private static void count(Map<String, Integer> counts, NodeState node, PodTerm term, int sign) {
        String value = node.label(term.topologyKey());
        if (value != null) {
            counts.merge(value, sign, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /** Whether a pod that the terms select is at the node's place, for each of them. */
    boolean holdsAt(NodeState node) {
        for (int i = 0; i < terms.size(); i++) {
            String value = node.label(terms.get(i).topologyKey());
            if (value == null || !selected.get(i).containsKey(value)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the node has a place for each of the terms. */
    boolean hasPlaces(NodeState node) {
        for (PodTerm term : terms) {
            if (node.label(term.topologyKey()) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether no pod that the terms select is at any place. */
    public boolean selectsNobody() {
        for (Map<String, Integer> counts : selected) {
            if (!counts.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a pod that has this in its anti-affinity is at the node's place. */
    boolean ownedAt(NodeState node) {
        String value = node.label(terms.getFirst().topologyKey());
        return value != null && owners.containsKey(value);
    }

    boolean owned() {
        return !owners.isEmpty();
    }

    /** Whether another group counts the same. */
    boolean sameAs(TermGroup other) {
        return references == other.references
                && affinities == other.affinities
                && selected.equals(other.selected)
                && owners.equals(other.owners);
    }

    @Override
    public String toString() {
        return references + " pods with " + terms + ", selected " + selected + ", owned " + owners;
    }
}
