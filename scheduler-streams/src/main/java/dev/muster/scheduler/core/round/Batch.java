package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Members that are interchangeable, in the order of their ranks. */
record Batch(PodSet podSet, InternedRequirement requirement, Stance stance, List<Member> members) {
    private record Kind(PodSet podSet, InternedRequirement requirement, Stance stance) {}

    /** These members by what they require and what other pods' terms make of them, in the order of the first of each kind. */
    static List<Batch> of(List<Member> members, PodTerms terms, ClusterState cluster) {
        if (members.isEmpty()) {
            return List.of();
        }
        Stance firsts = terms.stance(members.getFirst(), cluster);
        Batch all = new Batch(members.getFirst().podSet(), members.getFirst().requirement(), firsts, members);
        if (all.isOneKind(terms, cluster)) {
            return List.of(all);
        }
        Map<Kind, List<Member>> byKind = new LinkedHashMap<>();
        for (Member member : members) {
            Kind kind = new Kind(member.podSet(), member.requirement(), terms.stance(member, cluster));
            byKind.computeIfAbsent(kind, same -> new ArrayList<>()).add(member);
        }
        List<Batch> batches = new ArrayList<>();
        byKind.forEach((kind, same) -> batches.add(new Batch(kind.podSet(), kind.requirement(), kind.stance(), same)));
        return batches;
    }

    private boolean isOneKind(PodTerms terms, ClusterState cluster) {
        for (Member member : members) {
            if (member.podSet() != podSet
                    || member.requirement() != requirement
                    || !terms.stance(member, cluster).equals(stance)) {
                return false;
            }
        }
        return true;
    }

    int size() {
        return members.size();
    }

    /** Whether it asks to be near pods, which may be placed only with this gang. */
    boolean follows() {
        return !requirement.requirement().pods().affinity().isEmpty();
    }
}
