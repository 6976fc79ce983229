package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.VictimSet.Cost;
import dev.muster.scheduler.core.round.VictimSet.Mark;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.state.Absences;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes pods off so that each pod of a gang has a node: one pod after the other, largest first, to a node with room, else to
 * the one that is cheapest to clear; ties to the smaller ordinal. What a pod costs is what has to go beyond those that are off
 * already, so that a gang which is evicted anyway makes room wherever it was.
 */
final class NodeByNode {
    /** So many looks at a node at most. */
    private static final int MOST_LOOKS = 20_000;

    private final DomainState state;
    private final Profile profile;
    private final Overlay overlay;
    private final CandidateIndex index;
    private final Absences absences;
    /** The last of each node that could be cleared, and the cheapest of them first. */
    private final Map<NodeState, Clearing> clearings = new HashMap<>();

    private final TreeSet<Clearing> cheapestFirst = new TreeSet<>(Clearing.CHEAPEST_FIRST);
    private int looks;
    private boolean budgetsForbid;

    NodeByNode(DomainState state, Profile profile, Overlay overlay, CandidateIndex index, Absences absences) {
        this.state = state;
        this.profile = profile;
        this.overlay = overlay;
        this.index = index;
        this.absences = absences;
    }

    /** What has to go for one pod on a node. */
    private record Clearing(NodeState node, Mark victims, Cost cost) {
        private static final Comparator<Clearing> CHEAPEST_FIRST = Comparator.comparing(Clearing::cost)
                .thenComparingInt(clearing -> clearing.node().ordinal());
    }

    /** Whether a disruption budget kept a node from being cleared. */
    boolean budgetsForbid() {
        return budgetsForbid;
    }

    /** Takes victims off and reserves room for the gang; false where that led nowhere. */
    boolean takeOff(Workload workload, ClusterState cluster, VictimSet victims) {
        looks = 0;
        budgetsForbid = false;
        Map<NodeState, List<Member>> byNode = new LinkedHashMap<>();
        for (Spare spare : victims.spares()) {
            spare.bound()
                    .forEach(member -> byNode.computeIfAbsent(member.node(), same -> new ArrayList<>())
                            .add(member));
        }
        InternedRequirement asked = null;
        for (Member member : missing(workload)) {
            if (member.requirement() != asked) {
                asked = member.requirement();
                clearings.clear();
                cheapestFirst.clear();
                lookAt(byNode.keySet(), asked, byNode, victims);
            }
            NodeState node = index.of(state, profile, cluster, asked).best();
            if (node == null) {
                if (cheapestFirst.isEmpty() || looks > MOST_LOOKS) {
                    return false;
                }
                Clearing cheapest = cheapestFirst.first();
                VictimSet.reset(cheapest.victims());
                node = cheapest.node();
                overlay.reserve(member, node);
                lookAt(changedBy(cheapest, byNode, victims), asked, byNode, victims);
            } else {
                overlay.reserve(member, node);
                lookAt(List.of(node), asked, byNode, victims);
            }
        }
        return true;
    }

    /** Nodes of those that went, since what is left of them costs less or more now; all where budgets have a say. */
    private static Set<NodeState> changedBy(Clearing clearing, Map<NodeState, List<Member>> byNode, VictimSet victims) {
        if (victims.budgeted()) {
            return byNode.keySet();
        }
        Set<NodeState> changed = new LinkedHashSet<>(List.of(clearing.node()));
        clearing.victims()
                .gone()
                .keySet()
                .forEach(spare -> spare.bound().forEach(member -> changed.add(member.node())));
        return changed;
    }

    private void lookAt(
            Collection<NodeState> nodes,
            InternedRequirement asked,
            Map<NodeState, List<Member>> byNode,
            VictimSet victims) {
        for (NodeState node : nodes) {
            Clearing clearing = byNode.containsKey(node) && looks++ <= MOST_LOOKS
                    ? clearing(node, asked, byNode.get(node), victims)
                    : null;
            Clearing before = clearing == null ? clearings.remove(node) : clearings.put(node, clearing);
            if (before != null) {
                cheapestFirst.remove(before);
            }
            if (clearing != null) {
                cheapestFirst.add(clearing);
            }
        }
    }

    /** What has to go at least so that one pod finds room on a node; null where it does not find it whoever goes. */
    private Clearing clearing(NodeState node, InternedRequirement asked, List<Member> here, VictimSet victims) {
        if (node.facts() == null || !profile.couldTake(asked, node)) {
            return null;
        }
        absences.lookOnlyAt(node);
        Clearing clearing = clearingOf(node, asked, here, victims);
        absences.lookOnlyAt(null);
        return clearing;
    }

    private Clearing clearingOf(NodeState node, InternedRequirement asked, List<Member> here, VictimSet victims) {
        boolean roomNow = Candidates.room(profile, asked, node) > 0;
        List<Spare> spares = here.stream().map(victims::of).distinct().toList();
        Mark before = VictimSet.mark(spares);
        Cost costBefore = VictimSet.cost(spares);
        here.forEach(member -> victims.of(member).take(member));
        Clearing clearing = null;
        if (Candidates.room(profile, asked, node) > 0) {
            spares.stream()
                    .sorted(Comparator.comparing((Spare spare) -> !spare.underBudget())
                            .thenComparing(victims.comeBackFirst()))
                    .forEach(spare -> letComeBack(
                            spare, before.gone().get(spare), here, node, asked, spares.size() == 1 && !roomNow));
            if (victims.violations() > 0) {
                budgetsForbid = true;
            } else {
                clearing = new Clearing(node, VictimSet.mark(spares), VictimSet.costBeyond(before, costBefore));
            }
        }
        VictimSet.reset(before);
        return clearing;
    }

    /**
     * @param before those of the workload that are off anyway
     * @param needed whether it is known that somebody else of it has to go
     */
    private void letComeBack(
            Spare spare,
            Set<Member> before,
            List<Member> here,
            NodeState node,
            InternedRequirement asked,
            boolean needed) {
        Set<Member> all = new LinkedHashSet<>(spare.gone());
        if (!needed && fitsWith(spare, before, all, node, asked)) {
            return;
        }
        if (spare.isWhole() && spare.anySurplus()) {
            spare.reset(before);
            here.forEach(spare::takeIfSpare);
            fitsWith(spare, new LinkedHashSet<>(spare.gone()), all, node, asked);
        }
        if (spare.isWhole()) {
            return;
        }
        for (Member member : spare.bound().reversed()) {
            if (spare.gone().contains(member) && !before.contains(member)) {
                Set<Member> others = new LinkedHashSet<>(spare.gone());
                others.remove(member);
                fitsWith(spare, others, new LinkedHashSet<>(spare.gone()), node, asked);
            }
        }
    }

    private boolean fitsWith(
            Spare spare, Set<Member> off, Set<Member> otherwise, NodeState node, InternedRequirement asked) {
        spare.reset(off);
        if (Candidates.room(profile, asked, node) > 0) {
            return true;
        }
        spare.reset(otherwise);
        return false;
    }

    /** Members that the minimum lacks, the largest first: of each role its own minimum, then others by the roles' priority. */
    private static List<Member> missing(Workload workload) {
        Minimum minimum = new Minimum(workload);
        List<Member> missing = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            podSet.waiting().stream().limit(minimum.missing(podSet)).forEach(missing::add);
        }
        for (PodSet podSet : minimum.byPriority()) {
            int own = minimum.missing(podSet);
            podSet.waiting().stream()
                    .skip(own)
                    .limit(Math.max(0, minimum.missing() - missing.size()))
                    .forEach(missing::add);
        }
        Map<InternedRequirement, List<Member>> alike = new LinkedHashMap<>();
        for (Member member : missing) {
            alike.computeIfAbsent(member.requirement(), same -> new ArrayList<>())
                    .add(member);
        }
        // Stable: equals stay in the order of roles and ranks.
        return alike.entrySet().stream()
                .sorted(Comparator.comparingLong(
                        entry -> -entry.getKey().requirement().gpuMilli()))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }
}
