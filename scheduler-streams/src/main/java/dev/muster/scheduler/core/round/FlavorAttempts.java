package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.QuotaObject.Fungibility;
import dev.muster.scheduler.core.round.FlavorSearch.Assignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * In which order a workload tries its flavors where its queue prefers having others evicted to what another flavor offers
 * (Kueue, {@code flavorFungibility}).
 *
 * <p>Kueue goes through the flavors in their order and stops at the first that is good enough: one with quota of its own;
 * one with borrowed quota, where {@code whenCanBorrow} stops; one where others could be evicted, where {@code whenCanPreempt} stops,
 * too. Where nothing stops it, {@code preference} says which of what it passed is best. Here what does not work out, for want of
 * nodes or of anybody who may be evicted, is followed by the next.
 */
final class FlavorAttempts {
    private final Fungibility fungibility;
    /** Whether an assignment that others could go for is within the queue's own quota. */
    private final boolean[] own;

    private final List<Assignment> all;
    private final Map<SortedMap<String, SortedMap<String, String>>, Assignment> fitting = new LinkedHashMap<>();

    /**
     * @param fitting there is quota for, now
     * @param all there would be quota for if nothing were used, in the order of the flavors; with the borrowed part as if
     *     nothing were used
     */
    FlavorAttempts(Fungibility fungibility, List<Assignment> fitting, List<Assignment> all) {
        this.fungibility = fungibility;
        this.all = all;
        this.own = new boolean[all.size()];
        for (int i = 0; i < own.length; i++) {
            own[i] = !all.get(i).borrows();
        }
        fitting.forEach(assignment -> this.fitting.put(assignment.flavors(), assignment));
    }

    /** Whether a queue that says this may have others evicted though a flavor has quota. */
    static boolean matter(Fungibility fungibility) {
        return fungibility.preemptStops() || fungibility.preemptionFirst() && !fungibility.borrowStops();
    }

    private record Ranked(Assignment assignment, int rank) {}

    /** What to try, in order; those by preemption say so. */
    List<Assignment> inOrder() {
        List<Assignment> stops = new ArrayList<>();
        List<Ranked> others = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Assignment fits = fitting.get(all.get(i).flavors());
            if (fits != null && (!fits.borrows() || fungibility.borrowStops())) {
                stops.add(fits);
            } else if (fits != null) {
                others.add(new Ranked(fits, fungibility.preemptionFirst() ? 2 : 0));
            }
            Assignment preempts = new Assignment(all.get(i).flavors(), !own[i], true);
            if (fungibility.preemptStops() && (own[i] || fungibility.borrowStops())) {
                stops.add(preempts);
            } else {
                others.add(new Ranked(preempts, own[i] ? 1 : 3));
            }
        }
        others.stream()
                .sorted(Comparator.comparingInt(Ranked::rank))
                .map(Ranked::assignment)
                .forEach(stops::add);
        fitting.values().stream()
                .filter(assignment -> !stops.contains(assignment))
                .forEach(stops::add);
        return stops;
    }
}
