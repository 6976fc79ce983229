package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.round.VictimSet.Cost;
import dev.muster.scheduler.core.round.VictimSet.Mark;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for the pods to evict for a gang, by trying: pods are taken off, the gang is placed, and whoever the gang fits beside
 * comes back. So what is left is proved to be enough, and that no smaller part of it is: nobody of it can stay.
 *
 * <p>Where to begin is found in two ways, and the cheaper result is taken: node by node, the cheapest node for each pod of the
 * gang ({@link NodeByNode}); and over the whole cluster, the cheapest pods first until the gang fits. The first does well
 * where pods may go anywhere, the second where their places depend on each other. Neither is sure to find the cheapest set of
 * all.
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
    private final boolean othersMatter;
    private List<Reservation> plan = List.of();
    private int trials;
    private boolean budgetsForbid;

    /** @param othersMatter where pods may be depends on other pods */
    VictimSearch(
            GangPlacer placer,
            Overlay overlay,
            NodeByNode nodeByNode,
            Workload workload,
            ClusterState cluster,
            VictimSet victims,
            boolean othersMatter) {
        this.placer = placer;
        this.overlay = overlay;
        this.nodeByNode = nodeByNode;
        this.workload = workload;
        this.cluster = cluster;
        this.victims = victims;
        this.othersMatter = othersMatter;
    }

    private record Found(Cost cost, Mark victims, List<Reservation> plan) {}

    /** Leaves the victims off and the gang reserved, and says so; or leaves no trace. */
    boolean found() {
        Found best = victims.rule().byNodes() ? byNodes() : null;
        List<Member> steps = victims.steps();
        if (best == null || steps.size() <= FEW) {
            Found other = byCost(steps);
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

    /** The shortest row of steps after which the gang fits; a step that a budget does not allow is left out. */
    private Found byCost(List<Member> steps) {
        victims.clear();
        List<Member> allowed = new ArrayList<>();
        Map<Budget, Integer> used = new HashMap<>();
        for (Member step : steps) {
            if (!victims.rule().mayGo(victims.of(step))) {
                continue;
            }
            if (victims.takeWithin(step, used)) {
                allowed.add(step);
            } else {
                budgetsForbid = true;
            }
        }
        if (!fits()) {
            return null;
        }
        int enough = allowed.size();
        int tooFew = 0;
        while (enough - tooFew > 1 && trials < MOST_TRIALS) {
            int middle = (enough + tooFew) >>> 1;
            victims.clear();
            allowed.subList(0, middle).forEach(step -> victims.of(step).take(step));
            if (fits()) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        victims.clear();
        allowed.subList(0, enough).forEach(step -> victims.of(step).take(step));
        return fits() ? smallest() : null;
    }

    /** Lets come back whoever the gang fits beside, the dearest first. */
    private Found smallest() {
        List<Spare> dearestFirst = new ArrayList<>(victims.hit());
        dearestFirst.sort(victims.comeBackFirst());
        // Where quota matters, room alone does not say that the gang still fits.
        if (!othersMatter && victims.rule().byNodes()) {
            dearestFirst.forEach(this::comeBackBesidePlan);
        }
        for (Spare spare : dearestFirst) {
            letComeBack(spare);
        }
        return victims.violations() > 0 ? null : new Found(victims.cost(), victims.mark(), plan);
    }

    /** The plan stands when somebody comes back to a node that it does not use. */
    private void comeBackBesidePlan(Spare spare) {
        Set<NodeState> used = new HashSet<>();
        plan.forEach(reservation -> used.add(reservation.node()));
        Set<Member> needed = new LinkedHashSet<>(spare.gone());
        needed.removeIf(member -> !used.contains(member.node()));
        if (needed.isEmpty() || !spare.isWhole()) {
            spare.reset(needed);
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
        Set<NodeState> used = new HashSet<>();
        plan.forEach(reservation -> used.add(reservation.node()));
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
        if (placer.placeMinimum(workload, cluster) != null) {
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
}
