package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.round.DomainSearch.Findings;
import dev.muster.scheduler.core.round.DomainSearch.Scope;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.SubGroupTree;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Places a gang whose subgroups are a tree. A subgroup looks for a domain that will do, inside that of the subgroup around
 * it, and in there its own subgroups do; leaves place their pods together.
 *
 * <p>Where a subgroup finds no room because of what was placed before it, it is placed first and the others once more: a
 * bounded search, up to {@link #MOST_TRIED} times for a gang.
 */
final class SubGroupPlacer {
    private static final int MOST_TRIED = 256;

    private final Workload workload;
    private final ClusterState cluster;
    private final Together together;
    private final AsManyAsFit asManyAsFit;
    private final Overlay overlay;
    /** Pods that leaves need beyond their own minimums, so that the gang has as many as it needs in all. */
    private final Map<String, Integer> more = new HashMap<>();

    private int tried;

    SubGroupPlacer(
            Workload workload, ClusterState cluster, Together together, AsManyAsFit asManyAsFit, Overlay overlay) {
        this.workload = workload;
        this.cluster = cluster;
        this.together = together;
        this.asManyAsFit = asManyAsFit;
        this.overlay = overlay;
    }

    /** Reserves room for what the minimum lacks, or leaves no trace. */
    boolean placeMinimum() {
        int beyond = workload.minMember()
                - Math.max(workload.ready(), workload.tree().fewestPods());
        if (beyond > 0) {
            addMore(workload.tree(), beyond);
        }
        int start = overlay.size();
        boolean placed = place(workload.tree(), null);
        if (placed && workload.ready() + overlay.size() - start < workload.minMember()) {
            overlay.undoTo(start);
            return false;
        }
        return placed;
    }

    private int addMore(SubGroupTree subGroup, int beyond) {
        int left = beyond;
        for (SubGroupTree inside : subGroup.inside()) {
            left = addMore(inside, left);
        }
        if (subGroup.isLeaf()) {
            int spare = Math.max(0, waiting(subGroup).size() - missing(subGroup));
            int its = Math.min(spare, left);
            more.put(subGroup.name(), its);
            left -= its;
        }
        return left;
    }

    private boolean place(SubGroupTree subGroup, Scope scope) {
        if (subGroup.isMet(workload, false) && !needsMore(subGroup)) {
            return true;
        }
        List<Member> waiting = waiting(subGroup);
        if (waiting.isEmpty()) {
            return false;
        }
        PodSetTopology asked = subGroup.place();
        Wish wish = asked.given() ? Wish.of(asked, cluster) : null;
        if (asked.given() && wish == null) {
            together.keepUnknown(waiting, asked.level());
            return false;
        }
        if (subGroup.isLeaf()) {
            int wanted = missing(subGroup) + more.getOrDefault(subGroup.name(), 0);
            return wanted <= waiting.size()
                    && together.place(waiting.subList(0, wanted), wish, placed(subGroup), scope);
        }
        return wish == null ? inside(subGroup, scope) : inDomain(subGroup, waiting, wish, scope);
    }

    private boolean needsMore(SubGroupTree subGroup) {
        return subGroup.isLeaf()
                ? more.getOrDefault(subGroup.name(), 0) > 0
                : subGroup.inside().stream().anyMatch(this::needsMore);
    }

    /** Whether it found room in one of the domains that will do, nearest and tightest first. */
    private boolean inDomain(SubGroupTree subGroup, List<Member> waiting, Wish wish, Scope scope) {
        List<Batch> kinds = together.kinds(waiting);
        int surely = kinds.size() == 1 ? Math.min(waiting.size(), fewestMissing(subGroup)) : 0;
        int[] needs = new int[kinds.size()];
        needs[0] = surely;
        Findings findings = new Findings();
        boolean found = DomainSearch.search(
                wish,
                Together.near(wish.tree(), placed(subGroup), waiting.getFirst()),
                scope,
                together.capacities(kinds, wish, scope),
                needs,
                findings,
                domain -> inside(subGroup, new Scope(wish.tree(), domain), scope));
        if (!found) {
            int pods = Math.max(1, fewestMissing(subGroup));
            together.keep(
                    kinds.getFirst(), pods, new NoDomain(wish, wish.level(), pods, findings.domains, findings.largest));
        }
        return found;
    }

    /** Whether its subgroups found room in a domain, without leaving what is around it, of whichever tree that is. */
    private boolean inside(SubGroupTree subGroup, Scope domain, Scope around) {
        int start = overlay.size();
        boolean placed = inside(subGroup, domain);
        if (placed && around != null && around.tree() != domain.tree()) {
            placed = overlay.reservations().stream()
                    .skip(start)
                    .allMatch(reservation -> around.contains(reservation.node()));
            if (!placed) {
                overlay.undoTo(start);
            }
        }
        return placed;
    }

    /** Whether enough of its subgroups found room. */
    private boolean inside(SubGroupTree subGroup, Scope scope) {
        int start = overlay.size();
        List<SubGroupTree> order = new ArrayList<>(subGroup.inside());
        if (subGroup.needed() == order.size()) {
            order.sort(Comparator.comparingInt(inside -> -fewestMissing(inside))); // stable
        }
        for (int turn = 0; turn <= order.size() && tried < MOST_TRIED; turn++) {
            tried++;
            int met = 0;
            SubGroupTree failed = null;
            for (SubGroupTree inside : order) {
                boolean placed = (met < subGroup.needed() || needsMore(inside)) && place(inside, scope);
                met += placed ? 1 : 0;
                failed = failed == null && !placed && met < subGroup.needed() ? inside : failed;
            }
            if (met >= subGroup.needed()) {
                return true;
            }
            overlay.undoTo(start);
            if (failed == null || failed == order.getFirst()) {
                return false;
            }
            order.remove(failed);
            order.addFirst(failed);
        }
        return false;
    }

    // ---- beyond the minimum

    /** Reserves room for as many waiting members as fit; subgroups that are not placed yet whole. */
    void placeRest() {
        rest(workload.tree(), null);
        for (PodSet podSet : workload.podSetsInOrder()) {
            if (!workload.tree().hasLeaf(podSet.name())) {
                together.kinds(podSet.waiting()).forEach(batch -> together.place(batch, batch.size(), null));
            }
        }
    }

    private void rest(SubGroupTree subGroup, Scope scope) {
        if (waiting(subGroup).isEmpty()) {
            return;
        }
        if (!subGroup.isMet(workload, false)) {
            if (subGroup.isMet(workload, true)) {
                place(subGroup, scope);
            }
            return;
        }
        Wish wish = subGroup.place().given() ? Wish.of(subGroup.place(), cluster) : null;
        if (subGroup.isLeaf()) {
            asManyAsFit.place(waiting(subGroup), wish, placed(subGroup), scope);
            return;
        }
        Scope widest = wish == null ? null : AsManyAsFit.widest(wish, placed(subGroup));
        for (SubGroupTree inside : subGroup.inside()) {
            rest(inside, widest == null ? scope : widest);
        }
    }

    // ---- members

    private int missing(SubGroupTree leaf) {
        PodSet podSet = workload.podSet(leaf.name());
        return Math.max(0, leaf.needed() - (podSet == null ? 0 : podSet.ready()));
    }

    /** The fewest pods that it lacks. */
    private int fewestMissing(SubGroupTree subGroup) {
        if (subGroup.isLeaf()) {
            return missing(subGroup) + more.getOrDefault(subGroup.name(), 0);
        }
        return subGroup.inside().stream()
                .mapToInt(this::fewestMissing)
                .sorted()
                .limit(subGroup.needed())
                .sum();
    }

    private List<Member> waiting(SubGroupTree subGroup) {
        List<Member> waiting = new ArrayList<>();
        collect(subGroup, waiting, true);
        return waiting;
    }

    private List<Member> placed(SubGroupTree subGroup) {
        List<Member> placed = new ArrayList<>();
        collect(subGroup, placed, false);
        return placed;
    }

    private void collect(SubGroupTree subGroup, List<Member> members, boolean waiting) {
        PodSet podSet = subGroup.isLeaf() ? workload.podSet(subGroup.name()) : null;
        if (podSet != null && waiting) {
            members.addAll(podSet.waiting());
        } else if (podSet != null) {
            podSet.members().stream().filter(Member::isPlaced).forEach(members::add);
        }
        subGroup.inside().forEach(inside -> collect(inside, members, waiting));
    }
}
