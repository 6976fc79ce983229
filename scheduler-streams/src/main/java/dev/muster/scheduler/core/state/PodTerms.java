package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Rules about other pods: affinity and anti-affinity, required and preferred, in both directions, and topology spread. Each distinct one
 * that a known pod has is kept once ({@link TermRegistry}), with counts by place ({@link TermCounts}), so that a node is
 * judged by a few look-ups and never by the pods on it; while no pod has such rules, nothing is counted at all. Reserved
 * and held room counts like the pod it is for.
 *
 * <p>The counts follow from nodes, pods, holds and namespaces, and are worked out anew by a restore.
 */
public final class PodTerms {
    private final DomainState state;
    private final TermCounts counts;
    private final TermRegistry registry;
    /** Submitted jobs that have rules about other pods. */
    private final TreeMap<WorkloadId, Workload> jobs = new TreeMap<>();

    private boolean restoring;

    PodTerms(DomainState state) {
        this.state = state;
        this.counts = new TermCounts(state);
        this.registry = counts.registry();
    }

    /** Whether any pod known has such rules. */
    public boolean none() {
        return registry.none();
    }

    /** Whether all is known that rules look at: namespaces, where some choose them by labels. */
    public boolean ready(ClusterState cluster) {
        return !registry.looksAtNamespaces(cluster.name()) || cluster.listed(Kinds.NAMESPACE);
    }

    // ---- what is known and what takes room

    /** A pod with this requirement is known from now on, or (-1) no longer: waiting, placed, or room held for it. */
    void refer(InternedRequirement requirement, String cluster, int sign) {
        if (!restoring) {
            registry.refer(requirement, cluster, sign);
        }
    }

    /**
     * A submitted job is known from now on, or (-1) no longer. Its pods may come to any cluster, and there are none yet that
     * would have its rules: they are kept in every cluster for as long as the job is known.
     */
    void referJob(Workload workload, int sign) {
        if (restoring || workload.job == null || workload.job.tasks().stream().allMatch(PodTerms::silent)) {
            return;
        }
        if (sign > 0) {
            jobs.put(workload.id(), workload);
        } else {
            jobs.remove(workload.id());
        }
        for (ClusterState cluster : state.clusters()) {
            referJob(workload, cluster, sign);
        }
    }

    private void referJob(Workload workload, ClusterState cluster, int sign) {
        for (SubmittedJob.Task task : workload.job.tasks()) {
            refer(state.interner.requirement(task.requirement()), cluster.name(), sign);
        }
    }

    private static boolean silent(SubmittedJob.Task task) {
        return task.requirement().pods().none();
    }

    /** A cluster is known from now on: jobs that wait may go there. */
    void clusterAppeared(ClusterState cluster) {
        jobs.values().forEach(job -> referJob(job, cluster, 1));
    }

    /** A pod, or room for one, is on a node from now on, or (-1) no longer; {@code pod} null where none is known yet. */
    void count(InternedRequirement requirement, SeenPod pod, NodeState node, int sign) {
        if (!restoring) {
            counts.count(requirement, pod, node, sign);
        }
    }

    /** A pod that stays on its node looks otherwise to others. */
    void recount(NodeState node, SeenPod before, SeenPod now) {
        if (!restoring) {
            counts.countSelected(before, node, -1);
            counts.countSelected(now, node, 1);
        }
    }

    /** Held room is counted by the labels of the pod it is for, as far as there is one: that may have changed. */
    void recount(HeldMember held) {
        SeenPod now = held.member == null ? null : held.member.seen();
        if (!Objects.equals(held.counted, now)) {
            SeenPod before = held.counted;
            held.counted = now;
            recount(held.node, before, now);
        }
    }

    /** All that takes room on a node, around a change of the node's labels. */
    void countAll(NodeState node, int sign) {
        if (!restoring) {
            counts.countAll(node, sign);
        }
    }

    /**
     * Whether pods that wait could have a place now that a pod like this has one, or has lost it: some affinity term selects
     * it, or some spread constraint counts it.
     */
    boolean moves(String cluster, SeenPod pod) {
        if (pod == null) {
            return false;
        }
        for (PodGroup group : counts.selecting(cluster, pod)) {
            boolean awaited = switch (group) {
                case TermGroup terms -> terms.affinities > 0;
                case SpreadGroup spread -> spread.required > 0;
            };
            if (awaited) {
                return true;
            }
        }
        return false;
    }

    // ---- what is asked

    /** What matters of a pod that may be placed in a cluster: the rules of others that speak of it, and those of its own that do. */
    public Stance stance(Member member, ClusterState there) {
        SeenPod pod = member.seen();
        if (registry.none() || pod == null) {
            return Stance.NONE;
        }
        String cluster = there.name();
        List<SpreadGroup> own = registry.of(member.requirement, cluster).spread;
        List<TermGroup> selecting = new ArrayList<>();
        List<SpreadGroup> counting = new ArrayList<>();
        for (PodGroup group : counts.selecting(cluster, pod)) {
            switch (group) {
                case TermGroup terms -> selecting.add(terms);
                case SpreadGroup spread -> {
                    if (own.contains(spread)) {
                        counting.add(spread);
                    }
                }
            }
        }
        boolean silent = member.requirement.requirement().pods().none();
        return selecting.isEmpty() && silent ? Stance.NONE : new Stance(cluster, selecting, counting);
    }

    /**
     * What a pod is to rules about pods: pods with equal requirements and equal stances are interchangeable.
     *
     * @param selecting the terms that select it, whoever has them
     * @param counting the constraints of its own by which it is counted itself
     */
    public record Stance(String cluster, List<TermGroup> selecting, List<SpreadGroup> counting) {
        public static final Stance NONE = new Stance("", List.of(), List.of());

        public Stance {
            selecting = List.copyOf(selecting);
            counting = List.copyOf(counting);
        }
    }

    /** Whether other pods can keep pods with this requirement and stance from a node. */
    public boolean restricts(InternedRequirement requirement, Stance stance) {
        boolean restricts = requirement.requirement().pods().restrict();
        for (int i = 0; !restricts && i < stance.selecting().size(); i++) {
            restricts = stance.selecting().get(i).owned();
        }
        return restricts;
    }

    /** Whether pods with this requirement and stance can be told nodes apart by other pods at all. */
    public boolean matters(InternedRequirement requirement, Stance stance) {
        boolean matters = !requirement.requirement().pods().none();
        for (int i = 0; !matters && i < stance.selecting().size(); i++) {
            TermGroup group = stance.selecting().get(i);
            matters = group.owned() || group.pulls();
        }
        return matters;
    }

    /** The preferred terms of a requirement; empty where no pod known has them. */
    public List<TermGroup.Weighted> wishesOf(InternedRequirement requirement, ClusterState cluster) {
        return registry.of(requirement, cluster.name()).wishes;
    }

    /** The pod's affinity as a whole; null where it has none. */
    public TermGroup affinityOf(InternedRequirement requirement, Stance stance) {
        return registry.of(requirement, stance.cluster()).affinity;
    }

    /** What the constraints of a requirement count, in their order; empty where no pod known has them. */
    public List<SpreadGroup> spreadOf(InternedRequirement requirement, ClusterState cluster) {
        return registry.of(requirement, cluster.name()).spread;
    }

    /** Whether the pod would be the first of those that its affinity asks for, and may be. */
    public boolean first(TermGroup affinity, Stance stance) {
        return affinity.selectsNobody() && stance.selecting().contains(affinity);
    }

    /** Why affinity or anti-affinity keeps such a pod from a node; null where neither does. */
    public Refusal refusal(InternedRequirement requirement, Stance stance, NodeState node) {
        String apart = null;
        for (TermGroup group : registry.of(requirement, node.id().cluster()).apart) {
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

    /** What keeps a pod from a node: which rule, and what of it is at fault (a topology key, a claim, a label); may be empty. */
    public record Refusal(String rule, String subject) {
        public static final String AFFINITY = "PodAffinity";
        public static final String ANTI_AFFINITY = "PodAntiAffinity";
        public static final String SPREAD = "TopologySpread";
        /** The node lacks the label of the topology key. */
        public static final String SPREAD_LABEL = "TopologySpreadLabel";
    }

    /** How many of such pods there could be at most if no other pod were there, by terms of theirs that select themselves. */
    public long mostTogether(InternedRequirement requirement, Stance stance, List<NodeState> usable) {
        long most = Long.MAX_VALUE;
        for (TermGroup group : registry.of(requirement, stance.cluster()).apart) {
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
        registry.clear();
        jobs.clear();
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                held.counted = held.member == null ? null : held.member.seen();
            }
        }
        referAll();
    }

    private void referAll() {
        List<PodState> pods = new ArrayList<>();
        for (PodState pod : state.pods) {
            if (!pod.requirement.requirement().pods().none()) {
                pods.add(pod);
            }
        }
        pods.sort((a, b) -> a.id().compareTo(b.id()));
        pods.forEach(pod -> refer(pod.requirement, pod.id().cluster(), 1));
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                refer(held.requirement, hold.cluster, 1);
            }
        }
        List<Workload> known = new ArrayList<>(state.workloads.values());
        known.sort(Comparator.comparing(Workload::id));
        known.forEach(workload -> referJob(workload, 1));
    }

    /** What differs from what nodes, pods, holds and namespaces say; empty when nothing does. */
    String difference() {
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (!Objects.equals(held.counted, held.member == null ? null : held.member.seen())) {
                    return held.name + " is counted by labels that its pod does not have";
                }
            }
        }
        PodTerms fresh = new PodTerms(state);
        fresh.referAll();
        return registry.difference(fresh.registry);
    }

    /** A namespace's labels changed: what terms select by them is counted anew. */
    void namespaceChanged() {
        if (!registry.none()) {
            rebuild();
        }
    }
}
