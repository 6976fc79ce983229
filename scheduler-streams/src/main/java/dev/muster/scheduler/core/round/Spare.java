package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.state.Absences;
import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.PodSet;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A workload that may be evicted, and which of its pods are off on trial: members above its minimum, in all and of each role,
 * one by one; when it has none to spare, the whole of it.
 */
final class Spare {
    /** Whose eviction costs more comes first: by priority, then GPU time that is lost, then pods; ends in the id. */
    static final Comparator<Spare> DEAREST_FIRST = Comparator.comparingInt(Spare::priority)
            .thenComparingLong(Spare::workLost)
            .thenComparingInt(spare -> spare.bound.size())
            .thenComparing(spare -> spare.workload.id())
            .reversed();

    private final Workload workload;
    private final Absences absences;
    private final List<Member> bound;
    /** Empty where there are no budgets. */
    private final Map<Member, List<Budget>> budgets = new HashMap<>();

    private final LinkedHashSet<Member> gone = new LinkedHashSet<>();
    private final Map<PodSet, Integer> goneOf = new HashMap<>();
    private final boolean divisible;
    /** Whether the minimum stays when some of its pods go, as long as the others are all there. */
    private final boolean anySurplus;

    private final WorkLost workLost;
    private final long allWorkLost;
    private final long savedMillis;

    Spare(Workload workload, Absences absences, DisruptionBudgets known, long nowMillis) {
        this.workload = workload;
        this.absences = absences;
        this.bound = new ArrayList<>(workload.boundMembers());
        this.divisible = workload.started() && !workload.dividedFurther();
        this.anySurplus = divisible
                && workload.ready() > workload.minMember()
                && workload.podSetsInOrder().stream().anyMatch(role -> role.ready() > workload.taskMinimum(role));
        if (anySurplus) {
            // Who goes first: roles of lower priority, then who began last, then the last rank.
            bound.sort(Comparator.comparingInt((Member member) -> workload.taskPriority(member.podSet()))
                    .thenComparing(Comparator.comparingLong(Member::boundMillis).reversed())
                    .thenComparing(Comparator.reverseOrder()));
        }
        if (!known.none()) {
            bound.forEach(member -> budgets.put(member, known.of(member)));
        }
        this.workLost = new WorkLost(workload, bound, nowMillis);
        this.allWorkLost = workLost.of(bound);
        this.savedMillis = Math.max(Guards.startedMillis(workload), workLost.checkpointMillis());
    }

    Workload workload() {
        return workload;
    }

    /** From when on its work would be lost: since enough of it was bound for its minimum, or since it was saved. */
    long savedMillis() {
        return savedMillis;
    }

    int priority() {
        return workload.priority();
    }

    /** Its pods that have a node; who goes first first, where they do not all go together. */
    List<Member> bound() {
        return bound;
    }

    /** Those that are off. */
    Set<Member> gone() {
        return gone;
    }

    boolean isWhole() {
        return gone.size() == bound.size() && !divisibleUpTo(gone.size());
    }

    private boolean divisibleUpTo(int pods) {
        return divisible && workload.ready() - pods >= workload.minMember() && rolesStay();
    }

    private boolean rolesStay() {
        for (PodSet podSet : workload.podSetsInOrder()) {
            if (podSet.ready() - goneOf.getOrDefault(podSet, 0) < workload.taskMinimum(podSet)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a member can go and the minimum stays. */
    boolean canSpare(Member member) {
        PodSet podSet = member.podSet();
        return divisible
                && workload.ready() - gone.size() > workload.minMember()
                && podSet.ready() - goneOf.getOrDefault(podSet, 0) > workload.taskMinimum(podSet);
    }

    /** Takes a member off, and the whole workload with it where it can't be spared. */
    void take(Member member) {
        if (gone.contains(member)) {
            return;
        }
        if (canSpare(member)) {
            leave(member);
        } else {
            bound.forEach(this::leave);
        }
    }

    /** Takes a member off where it is this workload's and can be spared. */
    void takeIfSpare(Member member) {
        if (member.podSet().workload() == workload && canSpare(member)) {
            leave(member);
        }
    }

    /** Whether a disruption budget covers one of those that are off. */
    boolean underBudget() {
        return gone.stream().anyMatch(member -> !budgetsOf(member).isEmpty());
    }

    private void leave(Member member) {
        if (gone.add(member)) {
            goneOf.merge(member.podSet(), 1, Integer::sum);
            absences.take(member);
        }
    }

    /** Lets those come back that are not among these, and takes these off. */
    void reset(Set<Member> to) {
        for (Member member : List.copyOf(gone)) {
            if (!to.contains(member)) {
                gone.remove(member);
                goneOf.merge(member.podSet(), -1, Integer::sum);
                absences.comeBack(member);
            }
        }
        to.forEach(this::leave);
    }

    /** Lets those come back that went last, until so many are off. */
    void undoTo(int off) {
        while (gone.size() > off) {
            Member last = gone.removeLast();
            goneOf.merge(last.podSet(), -1, Integer::sum);
            absences.comeBack(last);
        }
    }

    /** Budgets that cover a member. */
    List<Budget> budgetsOf(Member member) {
        return budgets.getOrDefault(member, List.of());
    }

    /** Thousandths of GPUs times milliseconds of work, of those that are off. */
    long workLostByGone() {
        return workLost.of(gone);
    }

    private long workLost() {
        return allWorkLost;
    }

    /** Whether one of its pods could go and the minimum stay. */
    boolean anySurplus() {
        return anySurplus;
    }

    /** Those that can go one by one, who goes first first, as long as the others are all there. */
    List<Member> surplus() {
        List<Member> surplus = new ArrayList<>();
        if (!anySurplus) {
            return surplus;
        }
        Map<PodSet, Integer> taken = new HashMap<>();
        for (Member member : bound) {
            PodSet podSet = member.podSet();
            boolean roleStays = podSet.ready() - taken.getOrDefault(podSet, 0) > workload.taskMinimum(podSet);
            if (roleStays && workload.ready() - surplus.size() > workload.minMember()) {
                taken.merge(podSet, 1, Integer::sum);
                surplus.add(member);
            }
        }
        return surplus;
    }

    /** What its pods use of quotas, all of them. */
    SortedMap<FlavorResource, Long> amounts() {
        return amounts(bound);
    }

    /** The same of those that are off. */
    SortedMap<FlavorResource, Long> amountsGone() {
        return amounts(gone);
    }

    private SortedMap<FlavorResource, Long> amounts(Iterable<Member> members) {
        SortedMap<FlavorResource, Long> amounts = new TreeMap<>();
        for (Member member : members) {
            SortedMap<String, String> flavors = workload.flavorsOf(member.podSet());
            member.requirement()
                    .charge()
                    .forEach((resource, amount) -> amounts.merge(
                            new FlavorResource(flavors.getOrDefault(resource, ""), resource), amount, Long::sum));
        }
        return amounts;
    }
}
