package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Required affinity and anti-affinity between pods, in both directions. Each distinct term that a known pod has is kept
 * once, with counts by place, so that a node is judged by a few look-ups and never by the pods on it; while no pod has
 * such terms, nothing is counted at all. Reserved and held room counts like the pod it is for.
 *
 * <p>The counts follow from nodes, pods, holds and namespaces, and are worked out anew by a restore.
 */
public final class PodTerms {
    private final DomainState state;
    private final Map<Key, TermGroup> groups = new HashMap<>();
    private final Map<Use, Uses> inUse = new HashMap<>();
    /** Groups of a cluster by a label that the pods they select must have; under null those for which there is none. */
    private final Map<String, Map<Label, List<TermGroup>>> byHandle = new HashMap<>();

    /** Groups of a cluster that choose namespaces by labels. */
    private final Map<String, Integer> byNamespaceLabels = new HashMap<>();

    private boolean restoring;

    private record Key(String cluster, List<PodTerm> terms) {}

    /** A requirement in a cluster; equal ones share one instance, so that this is looked up fast. */
    private record Use(String cluster, InternedRequirement requirement) {}

    /** The groups of a requirement's terms, and how many pods have it. */
    private static final class Uses {
        private final TermGroup affinity;
        private final List<TermGroup> apart;
        private int pods;

        Uses(TermGroup affinity, List<TermGroup> apart) {
            this.affinity = affinity;
            this.apart = apart;
        }
    }

    PodTerms(DomainState state) {
        this.state = state;
    }

    /** Whether any pod known has such terms. */
    public boolean none() {
        return groups.isEmpty();
    }

    /** Whether all is known that terms look at: namespaces, where some choose them by labels. */
    public boolean ready(ClusterState cluster) {
        return byNamespaceLabels.getOrDefault(cluster.name(), 0) == 0 || cluster.listed(Kinds.NAMESPACE);
    }

    // ---- what is known

    /** A pod with this requirement is known from now on, or (-1) no longer: waiting, placed, or room held for it. */
    void refer(InternedRequirement requirement, String cluster, int sign) {
        if (restoring || !requirement.requirement().namesPods()) {
            return;
        }
        Use use = new Use(cluster, requirement);
        Uses uses = inUse.get(use);
        if (uses == null) {
            List<PodTerm> together = requirement.requirement().affinity();
            TermGroup affinity = together.isEmpty() ? null : group(new Key(cluster, together));
            List<TermGroup> apart = new ArrayList<>();
            for (PodTerm term : requirement.requirement().antiAffinity()) {
                apart.add(group(new Key(cluster, List.of(term))));
            }
            uses = new Uses(affinity, List.copyOf(apart));
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
        if (uses.pods == 0) {
            inUse.remove(use);
        }
    }

    private TermGroup group(Key key) {
        TermGroup group = groups.get(key);
        if (group == null) {
            group = new TermGroup(key.cluster(), key.terms());
            fill(group);
            groups.put(key, group);
            bucket(group).add(group);
            byNamespaceLabels.merge(key.cluster(), group.looksAtNamespaces() ? 1 : 0, Integer::sum);
        }
        return group;
    }

    private void refer(TermGroup group, int sign) {
        group.references += sign;
        if (group.references == 0) {
            groups.remove(new Key(group.cluster(), group.terms()));
            bucket(group).remove(group);
            byNamespaceLabels.merge(group.cluster(), group.looksAtNamespaces() ? -1 : 0, Integer::sum);
        }
    }

    private List<TermGroup> apart(InternedRequirement requirement, String cluster) {
        if (requirement.requirement().antiAffinity().isEmpty()) {
            return List.of();
        }
        Uses uses = inUse.get(new Use(cluster, requirement));
        return uses == null ? List.of() : uses.apart;
    }

    private List<TermGroup> bucket(TermGroup group) {
        NodeExpression handle = group.handle();
        Label label =
                handle == null ? null : new Label(handle.key(), handle.values().getFirst());
        return byHandle.computeIfAbsent(group.cluster(), name -> new HashMap<>())
                .computeIfAbsent(label, same -> new ArrayList<>());
    }

    /** Counts the pods and holds that are there already. */
    private void fill(TermGroup group) {
        ClusterState cluster = state.cluster(group.cluster());
        boolean single = group.terms().size() == 1;
        for (NodeState node : cluster == null ? List.<NodeState>of() : cluster.nodes()) {
            for (PodState pod : node.pods.values()) {
                fill(group, single, pod.requirement, pod, node);
            }
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (hold.cluster.equals(group.cluster())) {
                    fill(group, single, held.requirement, held.counted, held.node);
                }
            }
        }
    }

    private void fill(TermGroup group, boolean single, InternedRequirement requirement, PodState pod, NodeState node) {
        if (pod != null && selects(group, pod)) {
            group.countSelected(node, 1);
        }
        if (single
                && requirement
                        .requirement()
                        .antiAffinity()
                        .contains(group.terms().getFirst())) {
            group.countOwner(node, 1);
        }
    }

    // ---- what takes room

    /** A pod, or room for one, is on a node from now on, or (-1) no longer; {@code pod} null where none is known yet. */
    void count(InternedRequirement requirement, PodState pod, NodeState node, int sign) {
        if (restoring || groups.isEmpty()) {
            return;
        }
        countSelected(pod, node, sign);
        for (TermGroup group : apart(requirement, node.id().cluster())) {
            group.countOwner(node, sign);
        }
    }

    private void countSelected(PodState pod, NodeState node, int sign) {
        if (pod == null || restoring) {
            return;
        }
        for (TermGroup group : selecting(pod)) {
            group.countSelected(node, sign);
        }
    }

    /** The labels of a pod are about to change ({@code -1}) or have changed (1): where it, or room for it, is. */
    void relabel(PodState pod, int sign) {
        HeldMember held = pod.member == null ? null : pod.member.held;
        if (pod.node != null) {
            countSelected(pod, pod.node, sign);
        }
        if (held != null && sign < 0 && held.counted == pod) {
            countSelected(pod, held.node, -1);
            held.counted = null;
        }
    }

    /** Held room is counted by the labels of the pod it is for, as far as there is one: that may have changed. */
    void recount(PodState pod) {
        HeldMember held = pod.member == null ? null : pod.member.held;
        if (held != null) {
            recount(held);
        }
    }

    void recount(HeldMember held) {
        PodState pod = held.member == null ? null : held.member.pod;
        if (held.counted != pod) {
            countSelected(held.counted, held.node, -1);
            held.counted = pod;
            countSelected(pod, held.node, 1);
        }
    }

    /** All that takes room on a node, around a change of the node's labels. */
    void countAll(NodeState node, int sign) {
        if (restoring || groups.isEmpty()) {
            return;
        }
        for (PodState pod : node.pods.values()) {
            count(pod.requirement, pod, node, sign);
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (held.node == node) {
                    count(held.requirement, held.counted, node, sign);
                }
            }
        }
    }

    /** The terms that select a pod. */
    List<TermGroup> selecting(PodState pod) {
        Map<Label, List<TermGroup>> buckets =
                groups.isEmpty() ? null : byHandle.get(pod.id().cluster());
        if (buckets == null) {
            return List.of();
        }
        List<TermGroup> selecting = new ArrayList<>();
        addSelecting(buckets.get(null), pod, selecting);
        for (Map.Entry<String, String> label : pod.facts.labels().entrySet()) {
            addSelecting(buckets.get(new Label(label.getKey(), label.getValue())), pod, selecting);
        }
        return selecting;
    }

    private void addSelecting(List<TermGroup> bucket, PodState pod, List<TermGroup> into) {
        if (bucket != null) {
            for (TermGroup group : bucket) {
                if (selects(group, pod)) {
                    into.add(group);
                }
            }
        }
    }

    private boolean selects(TermGroup group, PodState pod) {
        String namespace = pod.origin.namespace();
        return group.selects(namespace, namespaceLabels(pod.id().cluster(), namespace), pod.facts.labels());
    }

    private SortedMap<String, String> namespaceLabels(String cluster, String namespace) {
        Row.PolicyObject known = state.policies.get(Kinds.NAMESPACE + "/" + cluster + "//" + namespace);
        return known != null && known.policy() instanceof Policy.Namespace found ? found.labels() : new TreeMap<>();
    }

    /** Whether what is placed here could let a pod that waits be placed: some affinity term selects it. */
    boolean invites(PodState pod) {
        for (TermGroup group : selecting(pod)) {
            if (group.affinities > 0) {
                return true;
            }
        }
        return false;
    }

    // ---- what is asked

    /** What matters of a pod that waits: the terms that select it, and those it has itself. */
    public Stance stance(Member member) {
        if (groups.isEmpty() || member.pod == null) {
            return Stance.NONE;
        }
        List<TermGroup> selecting = selecting(member.pod);
        boolean names = member.requirement.requirement().namesPods();
        return selecting.isEmpty() && !names
                ? Stance.NONE
                : new Stance(member.pod.id().cluster(), selecting);
    }

    /** The terms that select a pod: pods with equal requirements and equal stances are interchangeable. */
    public record Stance(String cluster, List<TermGroup> selecting) {
        public static final Stance NONE = new Stance("", List.of());

        public Stance {
            selecting = List.copyOf(selecting);
        }
    }

    /** Whether pods with this requirement and stance can be told nodes apart by other pods at all. */
    public boolean matters(InternedRequirement requirement, Stance stance) {
        if (requirement.requirement().namesPods()) {
            return true;
        }
        for (TermGroup group : stance.selecting()) {
            if (group.owned()) {
                return true;
            }
        }
        return false;
    }

    /** The pod's affinity as a whole; null where it has none. */
    public TermGroup affinityOf(InternedRequirement requirement, Stance stance) {
        boolean any = !requirement.requirement().affinity().isEmpty();
        Uses uses = any ? inUse.get(new Use(stance.cluster(), requirement)) : null;
        return uses == null ? null : uses.affinity;
    }

    /** Whether the pod would be the first of those that its affinity asks for, and may be. */
    public boolean first(TermGroup affinity, Stance stance) {
        return affinity.selectsNobody() && stance.selecting().contains(affinity);
    }

    /** Why other pods keep such a pod from a node; null where they do not. */
    public Refusal refusal(InternedRequirement requirement, Stance stance, NodeState node) {
        String apart = null;
        for (TermGroup group : apart(requirement, node.id().cluster())) {
            if (group.holdsAt(node)) {
                apart = smaller(apart, group.terms().getFirst().topologyKey());
            }
        }
        for (TermGroup group : stance.selecting()) {
            if (group.ownedAt(node)) {
                apart = smaller(apart, group.terms().getFirst().topologyKey());
            }
        }
        if (apart != null) {
            return new Refusal(Refusal.ANTI_AFFINITY, apart);
        }
        TermGroup affinity = affinityOf(requirement, stance);
        boolean allowed =
                affinity == null || affinity.holdsAt(node) || first(affinity, stance) && affinity.hasPlaces(node);
        return allowed
                ? null
                : new Refusal(Refusal.AFFINITY, affinity.terms().getFirst().topologyKey());
    }

    private static String smaller(String one, String other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }

    /** What keeps a pod from a node: which rule, and the topology key of the term. */
    public record Refusal(String rule, String topologyKey) {
        public static final String AFFINITY = "PodAffinity";
        public static final String ANTI_AFFINITY = "PodAntiAffinity";
    }

    /** How many of such pods there could be at most if no other pod were there, by terms of theirs that select themselves. */
    public long mostTogether(InternedRequirement requirement, Stance stance, List<NodeState> usable) {
        long most = Long.MAX_VALUE;
        for (TermGroup group : apart(requirement, stance.cluster())) {
            if (stance.selecting().contains(group)) {
                Set<String> places = new HashSet<>();
                long free = 0;
                for (NodeState node : usable) {
                    String value = node.label(group.terms().getFirst().topologyKey());
                    free += value == null ? 1 : 0;
                    if (value != null) {
                        places.add(value);
                    }
                }
                most = free > 0 ? most : Math.min(most, places.size());
            }
        }
        return most;
    }

    // ---- restoring and checking

    void restoring() {
        restoring = true;
    }

    /** Counts everything that is there. */
    void rebuild() {
        restoring = false;
        groups.clear();
        inUse.clear();
        byHandle.clear();
        byNamespaceLabels.clear();
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                held.counted = held.member == null ? null : held.member.pod;
            }
        }
        referAll();
    }

    private void referAll() {
        List<PodState> pods = new ArrayList<>(state.pods.values());
        pods.sort((a, b) -> a.id().compareTo(b.id()));
        pods.forEach(pod -> refer(pod.requirement, pod.id().cluster(), 1));
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                refer(held.requirement, hold.cluster, 1);
            }
        }
    }

    /** What differs from what nodes, pods, holds and namespaces say; empty when nothing does. */
    String difference() {
        PodTerms fresh = new PodTerms(state);
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (!Objects.equals(held.counted, held.member == null ? null : held.member.pod)) {
                    return held.name + " is counted by another pod's labels";
                }
            }
        }
        fresh.referAll();
        if (!fresh.groups.keySet().equals(groups.keySet())) {
            return "terms " + groups.keySet() + " are kept, not " + fresh.groups.keySet();
        }
        for (Map.Entry<Key, TermGroup> entry : byText(fresh.groups).values()) {
            TermGroup kept = groups.get(entry.getKey());
            if (!kept.sameAs(entry.getValue())) {
                return "counted: " + kept + "; there are: " + entry.getValue();
            }
        }
        return "";
    }

    private static Map<String, Map.Entry<Key, TermGroup>> byText(Map<Key, TermGroup> groups) {
        Map<String, Map.Entry<Key, TermGroup>> byText = new TreeMap<>();
        for (Map.Entry<Key, TermGroup> entry : groups.entrySet()) {
            byText.put(entry.getKey().toString(), entry);
        }
        return byText;
    }

    /** A namespace's labels changed: what terms select by them is counted anew. */
    void namespaceChanged() {
        if (!groups.isEmpty()) {
            rebuild();
        }
    }
}
