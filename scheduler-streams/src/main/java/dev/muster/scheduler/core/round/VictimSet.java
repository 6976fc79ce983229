package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The workloads that may be evicted for another, and who of them is off their nodes on trial. */
final class VictimSet {
    private final VictimRule rule;
    private final List<Spare> spares;
    private final Map<Workload, Spare> byWorkload = new HashMap<>();
    private final DisruptionBudgets budgets;

    /**
     * What a set of victims costs: the highest priority that loses something first, then GPU time that is lost (thousandths of
     * GPUs times milliseconds), then pods. What a disruption budget does not allow is no victim at all.
     */
    record Cost(int priority, long workLost, int pods) implements Comparable<Cost> {
        @Override
        public int compareTo(Cost other) {
            int byPriority = Integer.compare(priority, other.priority);
            if (byPriority != 0) {
                return byPriority;
            }
            int byWork = Long.compare(workLost, other.workLost);
            return byWork != 0 ? byWork : Integer.compare(pods, other.pods);
        }
    }

    /** Who is off, to come back to. */
    record Mark(Map<Spare, Set<Member>> gone) {}

    /** @param rule with spares in an order that nothing but their own facts makes */
    VictimSet(VictimRule rule, DisruptionBudgets budgets) {
        this.rule = rule;
        this.spares = List.copyOf(rule.spares());
        this.budgets = budgets;
        spares.forEach(spare -> byWorkload.put(spare.workload(), spare));
    }

    VictimRule rule() {
        return rule;
    }

    List<Spare> spares() {
        return spares;
    }

    /** Whether there are disruption budgets. */
    boolean budgeted() {
        return !budgets.none();
    }

    Mark mark() {
        return mark(spares);
    }

    static Mark mark(List<Spare> of) {
        Map<Spare, Set<Member>> gone = new LinkedHashMap<>();
        of.forEach(spare -> gone.put(spare, new LinkedHashSet<>(spare.gone())));
        return new Mark(gone);
    }

    static void reset(Mark to) {
        to.gone().forEach(Spare::reset);
    }

    /** Lets everybody come back. */
    void clear() {
        spares.forEach(spare -> spare.reset(Collections.emptySet()));
    }

    /** Those of whom somebody is off. */
    List<Spare> hit() {
        return spares.stream().filter(spare -> !spare.gone().isEmpty()).toList();
    }

    Cost cost() {
        return cost(hit());
    }

    static Cost cost(List<Spare> of) {
        int priority = Integer.MIN_VALUE;
        long workLost = 0;
        int pods = 0;
        for (Spare spare : of) {
            if (!spare.gone().isEmpty()) {
                priority = Math.max(priority, spare.priority());
                workLost += spare.workLostByGone();
                pods += spare.gone().size();
            }
        }
        return new Cost(priority, workLost, pods);
    }

    /** How many more pods are off than disruption budgets allow. */
    int violations() {
        if (budgets.none()) {
            return 0;
        }
        Map<Budget, Integer> used = new HashMap<>();
        int violations = 0;
        for (Spare spare : spares) {
            for (Member member : spare.gone()) {
                List<Budget> covering = spare.budgetsOf(member);
                if (covering.size() > 1) {
                    violations++;
                }
                for (Budget budget : covering) {
                    if (used.merge(budget, 1, Integer::sum) > budgets.allowed(budget)) {
                        violations++;
                    }
                }
            }
        }
        return violations;
    }

    /** Takes a member off, and whoever goes with it, where budgets allow that beside what is used of them already. */
    boolean takeWithin(Member member, Map<Budget, Integer> used) {
        Spare spare = of(member);
        Set<Member> before = new LinkedHashSet<>(spare.gone());
        spare.take(member);
        if (budgets.none()) {
            return true;
        }
        Map<Budget, Integer> usedNow = new HashMap<>(used);
        for (Member gone : spare.gone()) {
            List<Budget> covering = before.contains(gone) ? List.of() : spare.budgetsOf(gone);
            boolean over = covering.size() > 1;
            for (Budget budget : covering) {
                over |= usedNow.merge(budget, 1, Integer::sum) > budgets.allowed(budget);
            }
            if (over) {
                spare.reset(before);
                return false;
            }
        }
        used.putAll(usedNow);
        return true;
    }

    /** Steps from nobody to everybody, cheapest first: of each workload those it can spare one by one, then the rest of it. */
    List<Member> steps() {
        List<Member> steps = new ArrayList<>();
        List<Spare> cheapestFirst = new ArrayList<>(spares);
        cheapestFirst.sort(rule.dearestFirst().reversed());
        cheapestFirst.forEach(spare -> steps.addAll(spare.bound()));
        return steps;
    }

    /** What a member is of; null where it may not be evicted. */
    Spare of(Member member) {
        return byWorkload.get(member.podSet().workload());
    }
}
