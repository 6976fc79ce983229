package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What pods of one pod set ask of a queue's quota together, in units of quotas. */
record QuotaDemand(PodSet podSet, int pods, Set<Requirement> requirements, SortedMap<String, Long> amounts) {

    /**
     * What the minimum still lacks: of each role its own, then others in the order of their priority. Where more wait than are
     * needed and they differ, other ones may be placed in the end; what those ask for is checked again then.
     */
    static List<QuotaDemand> ofMinimum(Workload workload) {
        Minimum minimum = new Minimum(workload);
        Map<PodSet, List<Member>> chosen = new LinkedHashMap<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            List<Member> waiting = List.copyOf(podSet.waiting());
            List<Member> own = waiting.subList(0, Math.min(minimum.missing(podSet), waiting.size()));
            chosen.put(podSet, new ArrayList<>(own));
            minimum.placed(own);
        }
        for (PodSet podSet : minimum.byPriority()) {
            List<Member> its = chosen.get(podSet);
            List<Member> waiting = List.copyOf(podSet.waiting());
            int more = Math.min(Math.max(0, minimum.missing()), waiting.size() - its.size());
            List<Member> others = waiting.subList(its.size(), its.size() + more);
            its.addAll(others);
            minimum.placed(others);
        }
        List<QuotaDemand> demands = new ArrayList<>();
        chosen.forEach((podSet, members) -> {
            if (!members.isEmpty()) {
                demands.add(of(podSet, members));
            }
        });
        return demands;
    }

    /** What all that wait ask for. */
    static List<QuotaDemand> ofAll(Workload workload) {
        List<QuotaDemand> demands = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            if (!podSet.waiting().isEmpty()) {
                demands.add(of(podSet, List.copyOf(podSet.waiting())));
            }
        }
        return demands;
    }

    /** What the first that waits of each pod set asks for: more of them are placed as far as there is quota. */
    static List<QuotaDemand> ofFirst(Workload workload) {
        List<QuotaDemand> demands = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            if (!podSet.waiting().isEmpty()) {
                demands.add(of(podSet, List.of(podSet.waiting().iterator().next())));
            }
        }
        return demands;
    }

    private static QuotaDemand of(PodSet podSet, List<Member> members) {
        Map<InternedRequirement, Integer> counts = new LinkedHashMap<>();
        members.forEach(member -> counts.merge(member.requirement(), 1, Integer::sum));
        SortedMap<String, Long> amounts = new TreeMap<>();
        counts.forEach((requirement, count) ->
                requirement.charge().forEach((resource, amount) -> amounts.merge(resource, amount * count, Long::sum)));
        Set<Requirement> requirements = new LinkedHashSet<>();
        counts.keySet().forEach(each -> requirements.add(each.requirement()));
        return new QuotaDemand(podSet, members.size(), requirements, amounts);
    }

    /** What a workload's minimum asks for, with these flavors by pod set and resource; what has none is not counted. */
    static SortedMap<FlavorResource, Long> amounts(
            Workload workload, SortedMap<String, SortedMap<String, String>> flavors) {
        SortedMap<FlavorResource, Long> amounts = new TreeMap<>();
        for (QuotaDemand demand : ofMinimum(workload)) {
            SortedMap<String, String> its = flavors.getOrDefault(demand.podSet().name(), Collections.emptySortedMap());
            demand.amounts().forEach((resource, amount) -> {
                if (its.containsKey(resource) && amount > 0) {
                    amounts.merge(new FlavorResource(its.get(resource), resource), amount, Long::sum);
                }
            });
        }
        return amounts;
    }

    /** What a workload's minimum asks for, of no flavor. */
    static SortedMap<FlavorResource, Long> amounts(Workload workload) {
        SortedMap<FlavorResource, Long> amounts = new TreeMap<>();
        for (QuotaDemand demand : ofMinimum(workload)) {
            demand.amounts()
                    .forEach((resource, amount) -> amounts.merge(new FlavorResource("", resource), amount, Long::sum));
        }
        return amounts;
    }
}
