package dev.muster.scheduler.core.numa;

import java.util.Arrays;

/**
 * Finds the zones that the kubelet's Topology Manager settles on for a container or a pod
 * (kubernetes/kubernetes pkg/kubelet/cm/topologymanager, {@code HintMerger}).
 *
 * <p>Each resource hints at every set of zones that has enough of it free; hints as wide as the narrowest set that could
 * serve it if nothing were in use are preferred. One hint of each resource makes a combination: its zones are those that all
 * of them name, and it is preferred when all are preferred and name the same zones. The best combination wins: preferred
 * before not preferred, then the narrowest set, then the one with the lower zones. Among those that are not preferred, sets
 * as wide as the resource that needs most come first, then the next narrower ones, then wider ones.
 *
 * <p>The kubelet tries all combinations. The result is the same here: a preferred combination is one set that every resource
 * prefers; otherwise the sets that combinations can yield are collected resource by resource. Ties are broken by the set
 * alone, so the order in which combinations come does not matter.
 */
final class HintMerger {
    private final NumaLayout layout;
    private final int masks;
    /** By set of zones: what they have together of the resource that is looked at. */
    private final long[] could;

    private final long[] left;
    /** By set of zones: whether every resource so far prefers it. */
    private final boolean[] preferredByAll;
    /** By set of zones: whether the resource that is looked at hints at it. */
    private final boolean[] hints;
    /** By set of zones: whether they could serve all kinds of memory if nothing were in use. */
    private final boolean[] suffices;
    /** By set of zones: whether a combination of hints yields it. */
    private boolean[] yielded;

    private boolean[] yields;

    private boolean hinted;
    private boolean impossible;
    private int widestNeed;

    HintMerger(NumaLayout layout) {
        this.layout = layout;
        this.masks = 1 << layout.zones();
        this.could = new long[masks];
        this.left = new long[masks];
        this.preferredByAll = new boolean[masks];
        this.hints = new boolean[masks];
        this.suffices = new boolean[masks];
        this.yielded = new boolean[masks];
        this.yields = new boolean[masks];
    }

    /** What earlier containers of the pod had and a later one may have again, by cell. */
    record Reusable(long[] amounts) {
        /** Zones in which there is any of a resource. */
        int zonesOf(NumaLayout layout, int resource) {
            int mask = 0;
            for (int zone = 0; zone < layout.zones(); zone++) {
                mask |= amounts[layout.cell(resource, zone)] > 0 ? 1 << zone : 0;
            }
            return mask;
        }

        long total(NumaLayout layout, int resource) {
            long total = 0;
            for (int zone = 0; zone < layout.zones(); zone++) {
                total += amounts[layout.cell(resource, zone)];
            }
            return total;
        }
    }

    /** Zones as the policy settles on them; 0 where it does not admit. */
    int merge(long[] asked, long[] free, Reusable reusable) {
        if (layout.policy == NumaLayout.Policy.NONE) {
            return layout.everyZone();
        }
        collect(asked, free, reusable);
        int preferred = narrowestPreferred();
        return switch (layout.policy) {
            case NONE -> layout.everyZone();
            case BEST_EFFORT -> preferred != 0 ? preferred : bestOfTheOthers();
            case RESTRICTED -> preferred;
            case SINGLE_NUMA_NODE -> !hinted || Integer.bitCount(preferred) == 1 ? preferred : 0;
        };
    }

    private void collect(long[] asked, long[] free, Reusable reusable) {
        hinted = false;
        impossible = false;
        widestNeed = 0;
        Arrays.fill(preferredByAll, true);
        Arrays.fill(yielded, false);
        yielded[layout.everyZone()] = true;
        boolean memoryAsked = false;
        for (int resource = 0; resource < layout.resources(); resource++) {
            if (asked[resource] > 0 && layout.memory(resource)) {
                memoryAsked = true;
            } else if (asked[resource] > 0) {
                int narrowest = hintsOf(resource, asked[resource], free, reusable);
                take(narrowest, false);
            }
        }
        if (memoryAsked) {
            take(hintsOfMemory(asked, free, reusable), true);
        }
    }

    /** Hints of cpus or devices; returns the width that is preferred. */
    private int hintsOf(int resource, long asked, long[] free, Reusable reusable) {
        sumUp(resource, free);
        int reused = reusable.zonesOf(layout, resource);
        long reusedAmount = reusable.total(layout, resource);
        int narrowest = layout.zones();
        for (int mask = 1; mask < masks; mask++) {
            if (could[mask] >= asked) {
                narrowest = Math.min(narrowest, Integer.bitCount(mask));
            }
            hints[mask] = (reused & ~mask) == 0 && left[mask] + reusedAmount >= asked;
        }
        return narrowest;
    }

    /** The memory manager hints at zones that have enough of all kinds of memory; returns the width that is preferred. */
    private int hintsOfMemory(long[] asked, long[] free, Reusable reusable) {
        Arrays.fill(suffices, true);
        Arrays.fill(hints, true);
        for (int resource = 0; resource < layout.resources(); resource++) {
            if (asked[resource] > 0 && layout.memory(resource)) {
                sumUp(resource, free);
                int reused = reusable.zonesOf(layout, resource);
                long reusedAmount = reusable.total(layout, resource);
                for (int mask = 1; mask < masks; mask++) {
                    suffices[mask] &= could[mask] >= asked[resource];
                    hints[mask] &= left[mask] + (mask == reused ? reusedAmount : 0) >= asked[resource];
                }
            }
        }
        int narrowest = layout.zones();
        for (int mask = 1; mask < masks; mask++) {
            hints[mask] &= suffices[mask];
            if (suffices[mask]) {
                narrowest = Math.min(narrowest, Integer.bitCount(mask));
            }
        }
        return narrowest;
    }

    /** Sums of every set of zones. What the system reserves of cpus and devices counts as what there could be. */
    private void sumUp(int resource, long[] free) {
        for (int mask = 1; mask < masks; mask++) {
            int cell = layout.cell(resource, Integer.numberOfTrailingZeros(mask));
            int others = mask & (mask - 1);
            long most = layout.memory(resource) ? layout.allocatable(cell) : layout.capacity(cell);
            could[mask] = could[others] + most;
            left[mask] = left[others] + Math.max(0, free[cell]);
        }
    }

    /** Counts the hints of one more resource in. */
    private void take(int preferredWidth, boolean silentWhenNone) {
        int narrowest = Integer.MAX_VALUE;
        for (int mask = 1; mask < masks; mask++) {
            if (hints[mask]) {
                narrowest = Math.min(narrowest, Integer.bitCount(mask));
            }
        }
        if (narrowest == Integer.MAX_VALUE) {
            // A manager that returns no list at all has no say; one that returns an empty list forbids what is
            // preferred.
            impossible |= !silentWhenNone;
            hinted |= !silentWhenNone;
            return;
        }
        hinted = true;
        widestNeed = Math.max(widestNeed, narrowest);
        for (int mask = 1; mask < masks; mask++) {
            preferredByAll[mask] &= hints[mask] && Integer.bitCount(mask) == preferredWidth;
        }
        if (layout.policy == NumaLayout.Policy.BEST_EFFORT) {
            combine();
        }
    }

    private void combine() {
        Arrays.fill(yields, false);
        for (int one = 1; one < masks; one++) {
            for (int other = 1; other < masks && yielded[one]; other++) {
                yields[one & other] |= hints[other];
            }
        }
        boolean[] before = yielded;
        yielded = yields;
        yields = before;
    }

    private int narrowestPreferred() {
        if (!hinted) {
            return layout.everyZone();
        }
        int best = 0;
        for (int mask = 1; mask < masks && !impossible; mask++) {
            if (preferredByAll[mask] && (best == 0 || Integer.bitCount(mask) < Integer.bitCount(best))) {
                best = mask;
            }
        }
        return best;
    }

    private int bestOfTheOthers() {
        int best = 0;
        for (int mask = 1; mask < masks; mask++) {
            if (yielded[mask] && (best == 0 || rank(mask) < rank(best))) {
                best = mask;
            }
        }
        return best == 0 ? layout.everyZone() : best;
    }

    /** As wide as the resource that needs most; else narrower, the wider the better; else wider, the narrower the better. */
    private int rank(int mask) {
        int width = Integer.bitCount(mask);
        return width <= widestNeed ? widestNeed - width : layout.zones() + width;
    }
}
