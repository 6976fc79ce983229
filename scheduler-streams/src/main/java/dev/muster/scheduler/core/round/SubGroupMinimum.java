package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.round.GangParts.SubGroup;
import dev.muster.scheduler.core.round.GangParts.Wishing;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Places what the minimum of a gang lacks inside one domain: subgroups whole, pod sets that ask for a place of their own in
 * one domain each, then the others; or leaves no trace.
 */
final class SubGroupMinimum {
    private final Workload workload;
    private final ClusterState cluster;
    private final GangParts parts;
    private final Together together;
    private final Overlay overlay;
    private final Scope scope;
    private final Minimum minimum;
    /** Subgroups that were placed on the way; only looked up. */
    private final Set<SubGroup> taken = new HashSet<>();

    SubGroupMinimum(
            Workload workload, ClusterState cluster, GangParts parts, Together together, Overlay overlay, Scope scope) {
        this.workload = workload;
        this.cluster = cluster;
        this.parts = parts;
        this.together = together;
        this.overlay = overlay;
        this.scope = scope;
        this.minimum = new Minimum(workload);
    }

    boolean place() {
        int start = overlay.size();
        boolean placed = subGroupsThatMustBe() && podSetsWithWishes() && roles() && others();
        if (!placed) {
            overlay.undoTo(start);
        }
        return placed;
    }

    private boolean subGroupsThatMustBe() {
        for (SubGroupPolicy policy : workload.subGroups()) {
            int missing = policy.minSubGroups() - parts.complete(policy);
            for (SubGroup group : parts.subGroups()) {
                if (missing > 0 && group.policy() == policy && take(group)) {
                    missing--;
                }
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean take(SubGroup group) {
        if (!group.possible() || taken.contains(group)) {
            return false;
        }
        Wish wish = Wish.of(group.policy(), cluster);
        if (wish == null && group.policy().topology() != null) {
            together.keepUnknown(group.together(), group.policy().topology().highestTierName());
            return false;
        }
        if (!together.place(group.together(), wish, group.placed(), scope)) {
            return false;
        }
        taken.add(group);
        minimum.placed(group.together());
        return true;
    }

    private boolean podSetsWithWishes() {
        for (Wishing wishing : parts.wishing()) {
            List<Member> needed = needed(wishing);
            if (needed.isEmpty()) {
                continue;
            }
            Wish wish = Wish.of(wishing.asked(), cluster);
            if (wish == null) {
                together.keepUnknown(needed, wishing.asked().level());
                return false;
            }
            if (!together.place(needed, wish, wishing.placed(), scope)) {
                return false;
            }
            minimum.placed(needed);
        }
        return true;
    }

    /** Its roles' own minimums, and of what is missing beside these as much as roles of higher priority leave. */
    private List<Member> needed(Wishing wishing) {
        int left = minimum.missing();
        for (PodSet podSet : workload.podSetsInOrder()) {
            left -= minimum.missing(podSet);
        }
        List<Member> needed = new ArrayList<>();
        for (PodSet podSet : minimum.byPriority()) {
            List<Member> own = wishing.waiting().stream()
                    .filter(member -> member.podSet() == podSet)
                    .toList();
            int available = own.isEmpty() ? podSet.waiting().size() : own.size();
            int must = Math.min(available, minimum.missing(podSet));
            int more = Math.max(0, Math.min(left, available - must));
            left -= more;
            needed.addAll(own.subList(0, own.isEmpty() ? 0 : must + more));
        }
        return needed;
    }

    private boolean roles() {
        List<Member> needed = new ArrayList<>();
        for (PodSet podSet : workload.podSetsInOrder()) {
            List<Member> plain = parts.plain(podSet);
            needed.addAll(plain.subList(0, Math.min(plain.size(), minimum.missing(podSet))));
        }
        if (!together.place(needed, null, List.of(), scope)) {
            return false;
        }
        minimum.placed(needed);
        for (PodSet podSet : workload.podSetsInOrder()) {
            for (SubGroup group : parts.subGroups()) {
                boolean helps = group.waiting().stream().anyMatch(member -> member.podSet() == podSet);
                if (minimum.missing(podSet) > 0 && helps) {
                    take(group);
                }
            }
            if (minimum.missing(podSet) > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean others() {
        for (PodSet podSet : minimum.byPriority()) {
            List<Member> plain = parts.plain(podSet);
            int used = Math.min(plain.size(), new Minimum(workload).missing(podSet));
            for (Batch batch : together.kinds(plain.subList(used, plain.size()))) {
                int wanted = Math.min(batch.size(), Math.max(0, minimum.missing()));
                int placed = wanted == 0 ? 0 : together.place(batch, wanted, scope);
                minimum.placed(batch.members().subList(0, placed));
            }
        }
        for (SubGroup group : parts.subGroups()) {
            if (minimum.missing() > 0) {
                take(group);
            }
        }
        return minimum.met();
    }
}
