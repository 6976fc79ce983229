package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.VictimSet.Cost;
import dev.muster.scheduler.core.round.VictimSet.Mark;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for the pods to evict for a gang, by trying: pods are taken off, the gang is placed, and whoever the gang fits beside
 * comes back. So what is left is proved to be enough, and that no smaller part of it is: nobody of it can stay.
 *
 * <p>Where to begin is found in two ways, and the cheaper result is taken: node by node, the cheapest node for each pod of the
 * gang ({@link NodeByNode}); and over the whole cluster, the cheapest pods first until the gang fits. The first does well
 * where pods may go anywhere, the second where their places depend on each other. Neither is sure to find the cheapest set of
 * all.
 *
 * <p>Most trials fail, since one who comes back leaves too little room. Where the pods of the gang are alike, counting tells that
 * (a node is counted again when it changed), and only what may succeed is placed.
 */
final class VictimSearch {
    /** So often is the gang placed on trial at most; whoever was not tried by then is not let come back. */
    private static final int MOST_TRIALS = 256;

    /** With so many pods to choose from both ways are tried, whatever the first finds. */
    private static final int FEW = 64;

    private final GangPlacer placer;
    private final Overlay overlay;
    private final NodeByNode nodeByNode;
    private final Workload workload;
    private final ClusterState cluster;
    private final VictimSet victims;
    /** How many of the gang's pods there is room for; null where they differ, or the topology has a say. */
    private final RoomTotal room;

    private final int needed;
    private final boolean othersMatter;
    private List<Reservation> plan = List.of();
    private int trials;
    private boolean budgetsForbid;

    /**
     * @param room for pods like the gang's; null where counting them tells nothing
     * @param othersMatter where pods may be depends on other pods
     */
    VictimSearch(
            GangPlacer placer,
            Overlay overlay,
            NodeByNode nodeByNode,
            Workload workload,
            ClusterState cluster,
            VictimSet victims,
            RoomTotal room,
            boolean othersMatter) {
        this.placer = placer;
        this.overlay = overlay;
        this.nodeByNode = nodeByNode;
        this.workload = workload;
        this.cluster = cluster;
        this.victims = victims;
        this.room = room;
        this.needed = needed(workload);
        this.othersMatter = othersMatter;
    }

    /** So many of its pods at least are placed when its minimum is. */
    private static int needed(Workload workload) {
        int ofRoles = 0;
        for (PodSet podSet : workload.podSetsInOrder()) {
            int own = Math.max(0, workload.taskMinimum(podSet) - podSet.ready());
            ofRoles += Math.min(own, podSet.waiting().size());
        }
        return Math.max(ofRoles, workload.minMember() - workload.ready());
    }

    private record Found(Cost cost, Mark victims, List<Reservation> plan) {}

    /** Leaves the victims off and the gang reserved, and says so; or leaves no trace. */
    boolean found() {
        Found best = victims.rule().byNodes() ? byNodes() : null;
        if (best == null || victims.pods() <= FEW) {
            Found other = byCost();
            best = best == null || other != null && other.cost().compareTo(best.cost()) < 0 ? other : best;
        }
        overlay.undoTo(0);
        victims.clear();
        if (best == null) {
            return false;
        }
        VictimSet.reset(best.victims());
        overlay.redo(best.plan());
        return true;
    }

    /** Whether disruption budgets kept somebody from going. */
    boolean budgetsForbid() {
        return budgetsForbid;
    }

    private Found byNodes() {
        boolean room = nodeByNode.takeOff(workload, cluster, victims);
        budgetsForbid |= nodeByNode.budgetsForbid();
        overlay.undoTo(0);
        return room && fits() ? smallest() : null;
    }

    /**
     * The shortest row of steps after which the gang fits; a step that a budget does not allow is left out. Where counting tells
     * when there may be room, no more steps are taken than it takes to get there; else all of them first.
     */
    private Found byCost() {
        victims.clear();
        VictimSteps steps = new VictimSteps(victims);
        int tooFew = 0;
        int enough = -1;
        for (int next = room == null ? Integer.MAX_VALUE : 1; enough < 0; next = 2 * steps.taken()) {
            boolean more = true;
            while (more && (steps.taken() < next || !mayFit())) {
                tooFew = steps.taken() < next ? tooFew : steps.taken();
                more = steps.takeAnother();
            }
            budgetsForbid |= steps.budgetsForbid();
            if (fits()) {
                enough = steps.taken();
            } else if (!more) {
                return null;
            } else {
                tooFew = steps.taken();
            }
        }
        while (enough - tooFew > 1 && trials < MOST_TRIALS) {
            int middle = (enough + tooFew) >>> 1;
            steps.moveTo(middle);
            if (fits()) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        steps.moveTo(enough);
        return smallest();
    }

    /** Lets come back whoever the gang fits beside, the dearest first. */
    private Found smallest() {
        List<Spare> dearestFirst = new ArrayList<>(victims.hit());
        dearestFirst.sort(victims.comeBackFirst());
        // Where quota matters, room alone does not say that the gang still fits.
        if (!othersMatter && victims.rule().byNodes()) {
            Set<NodeState> used = nodesOfPlan();
            dearestFirst.forEach(spare -> comeBackBesidePlan(spare, used));
        }
        for (Spare spare : dearestFirst) {
            letComeBack(spare);
        }
        return victims.violations() > 0 ? null : new Found(victims.cost(), victims.mark(), plan);
    }

    private Set<NodeState> nodesOfPlan() {
        Set<NodeState> used = new HashSet<>();
        plan.forEach(reservation -> used.add(reservation.node()));
        return used;
    }

    /** The plan stands when somebody comes back to a node that it does not use. */
    private static void comeBackBesidePlan(Spare spare, Set<NodeState> used) {
        Set<Member> off = new LinkedHashSet<>(spare.gone());
        off.removeIf(member -> !used.contains(member.node()));
        if (off.isEmpty() || !spare.isWhole()) {
            spare.reset(off);
        }
    }

    private void letComeBack(Spare spare) {
        Set<Member> all = new LinkedHashSet<>(spare.gone());
        if (all.isEmpty() || stillFits(spare, Collections.emptySet())) {
            return;
        }
        if (spare.isWhole()) {
            letMinimumComeBack(spare, all);
        }
        if (spare.isWhole()) {
            return;
        }
        for (Member member : spare.bound().reversed()) {
            Set<Member> others = new LinkedHashSet<>(spare.gone());
            if (others.remove(member)) {
                stillFits(spare, others);
            }
        }
    }

    /** Tries whether those that it can spare are enough: those first whose nodes the gang uses, then from either end. */
    private void letMinimumComeBack(Spare spare, Set<Member> all) {
        if (!spare.anySurplus()) {
            return;
        }
        Set<NodeState> used = nodesOfPlan();
        List<Member> usedFirst = new ArrayList<>(spare.bound());
        usedFirst.sort(Comparator.comparing(member -> !used.contains(member.node())));
        Set<Set<Member>> tried = new HashSet<>();
        for (List<Member> order :
                List.of(usedFirst, spare.bound(), spare.bound().reversed())) {
            spare.reset(Collections.emptySet());
            order.forEach(spare::takeIfSpare);
            boolean another = !spare.gone().isEmpty() && tried.add(new HashSet<>(spare.gone()));
            if (another && fits()) {
                return;
            }
        }
        spare.reset(all);
    }

    /** Whether the gang fits when just these of a workload are off; otherwise all is as it was. */
    private boolean stillFits(Spare spare, Set<Member> off) {
        Set<Member> before = new LinkedHashSet<>(spare.gone());
        spare.reset(off);
        if (fits()) {
            return true;
        }
        spare.reset(before);
        return false;
    }

    /** Whether the gang can be placed now; the plan is the last one with which it could. */
    private boolean fits() {
        if (++trials > MOST_TRIALS) {
            return false;
        }
        overlay.undoTo(0);
        if (!mayFit() || placer.placeMinimum(workload, cluster) != null) {
            return false;
        }
        List<Reservation> found = overlay.reservations();
        overlay.undoTo(0);
        if (!victims.rule().covers(found)) {
            return false;
        }
        plan = found;
        return true;
    }

    /** Whether there is room for as many pods as the gang needs at least; asked while nothing is reserved. */
    private boolean mayFit() {
        return room == null || room.now() >= needed;
    }
}
