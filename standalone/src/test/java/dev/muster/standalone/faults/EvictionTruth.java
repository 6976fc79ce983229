package dev.muster.standalone.faults;

import dev.muster.schemas.decision.Victim;
import dev.muster.standalone.faults.DecisionTruth.Member;
import dev.muster.standalone.faults.Truth.PodTruth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who is evicted, why, and what came of it; how often a seed saw what is rare. */
final class EvictionTruth {
    /** So many evictions for one workload are a cycle, once nothing breaks any more. */
    private static final int CYCLE = 12;

    private static final Map<String, String> NAMES = Map.of(
            "LowerPriority", "preemption by priority",
            "InClusterQueue", "preemption in a queue",
            "InCohortReclamation", "reclaim",
            "InCohortReclaimWhileBorrowing", "reclaim",
            "ClusterQueueStopped", "drain",
            "FatalHealth", "eviction from a sick GPU",
            "NodeLost", "eviction from a lost node",
            "SlotsExpired", "slots given up");
    private static final Set<String> LOSSES = Set.of("FatalHealth", "NodeLost");
    private static final Set<String> FOR_ITSELF =
            Set.of("FatalHealth", "NodeLost", "SlotsExpired", "ClusterQueueStopped", "LocalQueueStopped");

    private final Map<String, Integer> seen = new TreeMap<>();
    private final Map<String, List<DecisionTruth>> sinceHealed = new HashMap<>();
    private final Set<String> preemptors = new TreeSet<>();
    private final Set<String> broken = new TreeSet<>();
    private boolean healed;

    /** How often what happened. */
    Map<String, Integer> seen() {
        return seen;
    }

    /** From now on nothing breaks, and nobody is to be evicted over and over. */
    void heal() {
        healed = true;
    }

    /** A placement, perhaps of one who waited for it. */
    void placed(DecisionTruth decision) {
        if (preemptors.remove(decision.workload)) {
            seen.merge("placed after its eviction of others", 1, Integer::sum);
        }
        if (broken.remove(decision.workload) && !decision.gang) {
            seen.merge("hot swap", 1, Integer::sum);
        }
    }

    /** An eviction was decided: gangs that go whole go whole, and there is an end to it. */
    void decided(DecisionTruth eviction, Collection<DecisionTruth> decisions, Truth truth) {
        seen.merge(NAMES.getOrDefault(eviction.reason, eviction.reason), 1, Integer::sum);
        if (LOSSES.contains(eviction.reason)) {
            broken.add(eviction.workload);
        } else if (!FOR_ITSELF.contains(eviction.reason)) {
            preemptors.add(eviction.workload);
        }
        if (healed) {
            List<DecisionTruth> all = sinceHealed.computeIfAbsent(eviction.workload, none -> new ArrayList<>());
            all.add(eviction);
            Oracle.expect(all.size() <= CYCLE, "evictions for one workload without end, though nothing breaks: " + all);
        }
        Set<String> whole = new TreeSet<>();
        Set<String> going = new HashSet<>();
        for (Victim victim : eviction.victims) {
            going.add(victim.getUid());
            if (victim.getWhole()) {
                whole.add(victim.getWorkload());
            }
        }
        for (DecisionTruth other : decisions) {
            if (!other.places || !whole.contains(other.workload) || !other.cluster.equals(eviction.cluster)) {
                continue;
            }
            for (Member member : other.members) {
                PodTruth pod = truth.pods.get(member.uid);
                boolean stands = pod != null && pod.takesRoom() && !pod.deleting && pod.decision.equals(other.id);
                Oracle.expect(
                        !stands || going.contains(pod.uid),
                        "a gang is evicted whole and " + pod + " stays: " + eviction);
            }
        }
    }

    /** The API server has agreed to a binder's eviction or deletion of a pod: a decision says that it is to go. */
    static void granted(PodTruth pod, Collection<DecisionTruth> decisions) {
        boolean said = decisions.stream().anyMatch(decision -> saysSo(decision, pod));
        if (!said) {
            List<DecisionTruth> about = decisions.stream()
                    .filter(decision -> decision.members.stream().anyMatch(member -> isOf(member, pod)))
                    .toList();
            throw new Oracle.ViolationException(
                    "evicted or deleted though no decision says so: " + pod + ", decided was " + about);
        }
    }

    private static boolean saysSo(DecisionTruth decision, PodTruth pod) {
        if (!decision.cluster.equals(pod.cluster)) {
            return false;
        }
        boolean victim =
                decision.victims.stream().anyMatch(each -> each.getUid().equals(pod.uid));
        return victim || decision.members.stream().anyMatch(member -> isOf(member, pod));
    }

    private static boolean isOf(Member member, PodTruth pod) {
        boolean byName = (member.uid.isEmpty() || member.decision.create) && member.name.equals(pod.name);
        return member.uid.equals(pod.uid) || byName && member.decision.namespace.equals(pod.namespace);
    }
}
