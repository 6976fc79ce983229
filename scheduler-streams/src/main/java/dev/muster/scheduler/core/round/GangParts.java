package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The members of a gang by what they have to be near to: subgroups, pod sets that ask for a place of their own, and the
 * others. Only those that wait or are placed count.
 */
final class GangParts {
    /** Pods of a subgroup policy that share the values of its labels. */
    record SubGroup(SubGroupPolicy policy, List<Member> waiting, List<Member> placed) {
        /** How many of those that wait must be placed together, or none. */
        int needed() {
            return Math.max(0, policy.size() - placed.size());
        }

        boolean complete() {
            return placed.size() >= policy.size();
        }

        /** Whether enough of it wait. */
        boolean possible() {
            return !complete() && waiting.size() >= needed();
        }

        List<Member> together() {
            return waiting.subList(0, needed());
        }
    }

    /** Pod sets that share one wish. */
    record Wishing(PodSetTopology asked, List<Member> waiting, List<Member> placed) {}

    /** By policy, in the object's order, then by the values of labels. */
    private final List<SubGroup> subGroups = new ArrayList<>();

    private final List<Wishing> wishing = new ArrayList<>();
    private final Map<PodSet, List<Member>> plain = new LinkedHashMap<>();
    private final List<Member> placed = new ArrayList<>();

    GangParts(Workload workload) {
        Map<SubGroupPolicy, TreeMap<List<String>, SubGroup>> byPolicy = new LinkedHashMap<>();
        workload.subGroups().forEach(policy -> byPolicy.put(policy, new TreeMap<>(BY_VALUES)));
        Map<String, Wishing> byWish = new LinkedHashMap<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (Member member : podSet.members()) {
                if (member.waits() || member.isPlaced()) {
                    add(member, byPolicy, byWish);
                }
            }
        }
        byPolicy.values().forEach(groups -> subGroups.addAll(groups.values()));
        wishing.addAll(byWish.values());
    }

    /** Volcano orders subgroups by the first label's value as a number, then by name. */
    private static final Comparator<List<String>> BY_VALUES =
            Comparator.<List<String>>comparingInt(GangParts::index).thenComparing(values -> String.join("\n", values));

    private static int index(List<String> values) {
        String first = values.isEmpty() ? "" : values.getFirst();
        boolean number =
                !first.isEmpty() && first.length() <= 9 && first.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(first) : 0;
    }

    private void add(
            Member member, Map<SubGroupPolicy, TreeMap<List<String>, SubGroup>> byPolicy, Map<String, Wishing> byWish) {
        if (member.isPlaced()) {
            placed.add(member);
        }
        for (var policy : byPolicy.entrySet()) {
            if (policy.getKey().selects(member.labels())) {
                SubGroup group = policy.getValue()
                        .computeIfAbsent(
                                policy.getKey().values(member.labels()),
                                values -> new SubGroup(policy.getKey(), new ArrayList<>(), new ArrayList<>()));
                (member.waits() ? group.waiting() : group.placed()).add(member);
                return;
            }
        }
        PodSetTopology asked = member.requirement().requirement().topology();
        if (asked.given()) {
            String key =
                    asked.groupName().isEmpty() ? "pod set " + member.podSet().name() : "group " + asked.groupName();
            Wishing wish =
                    byWish.computeIfAbsent(key, name -> new Wishing(asked, new ArrayList<>(), new ArrayList<>()));
            (member.waits() ? wish.waiting() : wish.placed()).add(member);
        } else if (member.waits()) {
            plain.computeIfAbsent(member.podSet(), set -> new ArrayList<>()).add(member);
        }
    }

    List<SubGroup> subGroups() {
        return subGroups;
    }

    List<Wishing> wishing() {
        return wishing;
    }

    /** Waiting members of a pod set that are in no subgroup and ask for no place of their own. */
    List<Member> plain(PodSet podSet) {
        return plain.getOrDefault(podSet, List.of());
    }

    /** All that are placed. */
    List<Member> placed() {
        return placed;
    }

    /** Subgroups of a policy that are complete. */
    int complete(SubGroupPolicy policy) {
        int complete = 0;
        for (SubGroup group : subGroups) {
            complete += group.policy() == policy && group.complete() ? 1 : 0;
        }
        return complete;
    }
}
