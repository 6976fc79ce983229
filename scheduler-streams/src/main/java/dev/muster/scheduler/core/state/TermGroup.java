package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.PreferredPodTerm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Terms of pod affinity that hold together in one member cluster, and how many pods there are at each place that they
 * speak of: one term of an anti-affinity, or all terms of an affinity, which must hold by pods that all of them select
 * (kube-scheduler's InterPodAffinity counts them so).
 */
public final class TermGroup extends PodGroup {
    /** How much a required affinity of pods that are there counts for who comes (kube-scheduler hardPodAffinityWeight, default). */
    static final int REQUIRED_WEIGHT = 1;

    private final List<PodTerm> terms;
    /** By term: pods that all terms select, by value of its topology key. */
    private final List<Map<String, Integer>> selected = new ArrayList<>();
    /** Pods that have this as a term of their anti-affinity, by value of its topology key. */
    private final Map<String, Integer> owners = new HashMap<>();
    /**
     * What pods wish that have this as a preferred term or as one of their required affinity: the sum of the weights, by
     * value of its topology key; negative where they wish distance.
     */
    private final Map<String, Integer> pulls = new HashMap<>();
    /** Pods, waiting and placed, whose affinity this is. */
    int affinities;

    /** Terms with a weight: what a pod wishes. */
    public record Weighted(TermGroup group, int weight) {}

    record Key(String cluster, List<PodTerm> terms) {}

    TermGroup(Key key) {
        super(key.cluster());
        this.terms = key.terms();
        terms.forEach(term -> selected.add(new HashMap<>()));
    }

    Key key() {
        return new Key(cluster(), terms);
    }

    public List<PodTerm> terms() {
        return terms;
    }

    @Override
    NodeExpression handle() {
        for (PodTerm term : terms) {
            NodeExpression handle = handle(term.selector());
            if (handle != null) {
                return handle;
            }
        }
        return null;
    }

    @Override
    boolean looksAtNamespaces() {
        return terms.stream().anyMatch(term -> !term.namespaceSelector().isEmpty());
    }

    @Override
    boolean selects(SeenPod pod, Map<String, String> namespaceLabels) {
        for (PodTerm term : terms) {
            if (!term.selects(pod.namespace(), namespaceLabels, pod.labels())) {
                return false;
            }
        }
        return true;
    }

    @Override
    void countSelected(NodeState node, int sign) {
        for (int i = 0; i < terms.size(); i++) {
            count(selected.get(i), node, terms.get(i), sign);
        }
    }

    void countOwner(NodeState node, int sign) {
        count(owners, node, terms.getFirst(), sign);
    }

    void countPull(NodeState node, int weight) {
        count(pulls, node, terms.getFirst(), weight);
    }

    /** Counts a pod that is there already, as often as it has this as a term of its anti-affinity or of what it wishes. */
    void fillOwner(PodRules rules, NodeState node) {
        if (terms.size() > 1) {
            return;
        }
        for (PodTerm term : rules.antiAffinity()) {
            if (term.equals(terms.getFirst())) {
                countOwner(node, 1);
            }
        }
        for (PodTerm term : rules.affinity()) {
            if (term.equals(terms.getFirst())) {
                countPull(node, REQUIRED_WEIGHT);
            }
        }
        for (PreferredPodTerm preferred : rules.preferred()) {
            if (preferred.term().equals(terms.getFirst())) {
                countPull(node, preferred.weight());
            }
        }
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

    /** How many pods that this one term selects are at the node's place. */
    public int selectedAt(NodeState node) {
        String value = node.label(terms.getFirst().topologyKey());
        return value == null ? 0 : selected.getFirst().getOrDefault(value, 0);
    }

    /** What pods at the node's place wish of those that this one term selects. */
    public int pullAt(NodeState node) {
        String value = node.label(terms.getFirst().topologyKey());
        return value == null ? 0 : pulls.getOrDefault(value, 0);
    }

    /** Whether pods anywhere wish something of those that the term selects. */
    public boolean pulls() {
        return !pulls.isEmpty();
    }

    /** Whether another group counts the same. */
    boolean sameAs(TermGroup other) {
        return references == other.references
                && affinities == other.affinities
                && selected.equals(other.selected)
                && owners.equals(other.owners)
                && pulls.equals(other.pulls);
    }

    @Override
    public String toString() {
        return references + " pods with " + terms + ", selected " + selected + ", owned " + owners + ", pulled "
                + pulls;
    }
}
