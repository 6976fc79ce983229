package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a gang still lacks to its minimum, in all and of each role, while members are being placed. */
final class Minimum {
    private final Workload workload;
    private final Map<PodSet, Integer> lacking = new HashMap<>();
    private int missing;

    Minimum(Workload workload) {
        this.workload = workload;
        this.missing = workload.minMember() - workload.ready();
        for (PodSet podSet : workload.podSetsInOrder()) {
            lacking.put(podSet, workload.taskMinimum(podSet) - podSet.ready());
        }
    }

    private Minimum(Minimum other) {
        this.workload = other.workload;
        this.missing = other.missing;
        this.lacking.putAll(other.lacking);
    }

    Minimum copy() {
        return new Minimum(this);
    }

    /** Members that are missing in all; zero or less when enough are placed. */
    int missing() {
        return missing;
    }

    /** Members of a role that are missing to its own minimum. */
    int missing(PodSet podSet) {
        return Math.max(0, lacking.get(podSet));
    }

    boolean met() {
        return missing <= 0 && workload.podSetsInOrder().stream().allMatch(podSet -> missing(podSet) == 0);
    }

    void placed(List<Member> members) {
        missing -= members.size();
        for (Member member : members) {
            lacking.merge(member.podSet(), -1, Integer::sum);
        }
    }

    /** Roles in the order in which members beyond their own minimums are placed: the highest priority first. */
    List<PodSet> byPriority() {
        List<PodSet> sorted = new ArrayList<>(workload.podSetsInOrder());
        sorted.sort(Comparator.comparingInt(podSet -> -workload.taskPriority(podSet)));
        return sorted;
    }
}
