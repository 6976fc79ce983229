package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The workloads that may be evicted for another, and who of them is off their nodes on trial. */
final class VictimSet {
    private final VictimRule rule;
    private final List<Spare> spares;
    private final Map<Workload, Spare> byWorkload = new HashMap<>();
    private final DisruptionBudgets budgets;

    /**
     * What a set of victims costs. First how far down the ladder it goes: the highest priority of what goes whole; then the
     * highest priority that loses anything; then GPU time that is lost (thousandths of GPUs times milliseconds), then pods. What a
     * disruption budget does not allow is no victim at all.
     *
     * @param whole highest priority of a workload that goes whole; {@code Integer.MIN_VALUE} where none does
     */
    record Cost(int whole, int priority, long workLost, int pods) implements Comparable<Cost> {
        @Override
        public int compareTo(Cost other) {
            int byWhole = Integer.compare(whole, other.whole);
            if (byWhole != 0) {
                return byWhole;
            }
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

    /** How many pods may be evicted in all. */
    int pods() {
        return spares.stream().mapToInt(spare -> spare.bound().size()).sum();
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

    /** What those cost that are off now and were not before. */
    static Cost costBeyond(Mark before, Cost costBefore) {
        List<Spare> more = before.gone().entrySet().stream()
                .filter(spare -> spare.getKey().gone().size() > spare.getValue().size())
                .map(Map.Entry::getKey)
                .toList();
        Cost now = cost(List.copyOf(before.gone().keySet()));
        Cost beyond = cost(more);
        return new Cost(
                beyond.whole(),
                beyond.priority(),
                now.workLost() - costBefore.workLost(),
                now.pods() - costBefore.pods());
    }

    static Cost cost(List<Spare> of) {
        int whole = Integer.MIN_VALUE;
        int priority = Integer.MIN_VALUE;
        long workLost = 0;
        int pods = 0;
        for (Spare spare : of) {
            if (!spare.gone().isEmpty()) {
                priority = Math.max(priority, spare.priority());
                if (spare.isWhole()) {
                    whole = Math.max(whole, spare.priority());
                }
                workLost += spare.workLostByGone();
                pods += spare.gone().size();
            }
        }
        return new Cost(whole, priority, workLost, pods);
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

    /**
     * Steps from nobody to everybody, down the ladder: of all whose turn it is first those that they can spare one by one, the
     * cheapest workload first, and only then workloads whole.
     */
    List<Member> steps() {
        List<Member> steps = new ArrayList<>();
        List<Spare> cheapestFirst = new ArrayList<>(spares);
        cheapestFirst.sort(rule.dearestFirst().reversed());
        SortedMap<Integer, List<Spare>> turns = new TreeMap<>();
        cheapestFirst.forEach(spare -> turns.computeIfAbsent(rule.turn(spare), turn -> new ArrayList<>())
                .add(spare));
        for (List<Spare> turn : turns.values()) {
            Set<Member> spared = new HashSet<>();
            for (Spare spare : turn) {
                List<Member> surplus = spare.surplus();
                steps.addAll(surplus);
                spared.addAll(surplus);
            }
            for (Spare spare : turn) {
                spare.bound().stream()
                        .filter(member -> !spared.contains(member))
                        .forEach(steps::add);
            }
        }
        return steps;
    }

    /** Who is to come back first of those that are off: whose turn is last, then what went whole, then the dearest. */
    Comparator<Spare> comeBackFirst() {
        return Comparator.comparingInt(rule::turn)
                .thenComparing(Spare::isWhole)
                .reversed()
                .thenComparing(rule.dearestFirst());
    }

    /** What a member is of; null where it may not be evicted. */
    Spare of(Member member) {
        return byWorkload.get(member.podSet().workload());
    }
}
