package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.numa.NumaDemand;
import dev.muster.scheduler.core.numa.NumaLayout;
import dev.muster.scheduler.core.numa.TopologyManager;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What is left of a node's NUMA nodes: allocatable, less what pods and holds have, less what the report says is in use by
 * nobody that is known.
 *
 * <p>A report is stale as soon as something is placed. What pods and holds have is therefore counted here, and of the report
 * only what it says beyond that is kept. When a pod ends its part is free at once, before the next report.
 */
public final class NumaRoom {
    private static final long[] NOTHING = {};

    private TopologyManager manager;
    /** What pods and holds have, by cell of the layout. */
    private long[] charged = NOTHING;
    /** What pods and holds have of zones or resources that the report does not name. */
    private final TreeMap<Place, Long> elsewhere = new TreeMap<>();

    private long[] unknown = NOTHING;
    private long[] free = NOTHING;
    private NumaDemand asked;
    private boolean admitted;
    private int span;
    private int meanDistance;

    private record Place(String zone, String resource) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byZone = zone.compareTo(other.zone);
            return byZone != 0 ? byZone : resource.compareTo(other.resource);
        }
    }

    /** Whether anything is known of the NUMA nodes. */
    public boolean reported() {
        return manager != null;
    }

    /** The layout of the NUMA nodes. */
    NumaLayout layout() {
        return manager.layout();
    }

    /** Whether the kubelet would admit one more such pod. */
    public boolean admits(InternedRequirement requirement) {
        ask(requirement);
        return admitted;
    }

    /** From how many NUMA nodes one more such pod would get what it asks for; 0 where it asks for nothing of them. */
    public int span(InternedRequirement requirement) {
        ask(requirement);
        return span;
    }

    /** How far these are from each other: the mean distance, in hundredths. */
    public int meanDistance(InternedRequirement requirement) {
        ask(requirement);
        return meanDistance;
    }

    private void ask(InternedRequirement requirement) {
        NumaDemand demand = requirement.numaDemand(manager.layout());
        if (demand != asked) {
            asked = demand;
            admitted = demand.isEmpty() || manager.admits(demand, free);
            span = demand.isEmpty() || !admitted ? 0 : manager.span();
            meanDistance = span == 0 ? 0 : manager.meanDistance();
        }
    }

    /** How many more such pods the kubelet would admit one after the other, up to a number. */
    public int count(InternedRequirement requirement, int most) {
        return count(requirement, most, free.clone());
    }

    /** The same if nothing were in use. */
    public int countEmpty(InternedRequirement requirement, int most) {
        long[] empty = new long[free.length];
        for (int cell = 0; cell < empty.length; cell++) {
            empty[cell] = manager.layout().allocatable(cell);
        }
        return count(requirement, most, empty);
    }

    private int count(InternedRequirement requirement, int most, long[] left) {
        NumaDemand demand = requirement.numaDemand(manager.layout());
        int count = 0;
        while (count < most && !demand.isEmpty() && manager.admits(demand, left)) {
            for (int cell = 0; cell < left.length; cell++) {
                left[cell] -= manager.taken(cell);
            }
            count++;
        }
        return demand.isEmpty() ? most : count;
    }

    /** What one more such pod would get; nothing where nothing is known or the kubelet would not admit it. */
    NumaPlacement place(InternedRequirement requirement) {
        return place(requirement, free);
    }

    /** What such a pod has if it is the one that uses what nobody known does. */
    NumaPlacement placeInUnknown(InternedRequirement requirement) {
        return place(requirement, unknown);
    }

    /** What such a pod would get if so much were free. */
    NumaPlacement place(InternedRequirement requirement, long[] from) {
        if (manager == null || !requirement.aligned()) {
            return NumaPlacement.NONE;
        }
        NumaDemand demand = requirement.numaDemand(manager.layout());
        return !demand.isEmpty() && manager.admits(demand, from) ? manager.placement() : NumaPlacement.NONE;
    }

    /** Counts what a pod or hold has. */
    void take(NumaPlacement placement) {
        charge(placement, 1);
    }

    /** What a pod or hold had is free. */
    void give(NumaPlacement placement) {
        charge(placement, -1);
    }

    private void charge(NumaPlacement placement, int sign) {
        for (NumaShare share : placement.shares()) {
            int cell = cell(share);
            if (cell >= 0) {
                charged[cell] += sign * share.amount();
                free[cell] -= sign * share.amount();
            } else {
                elsewhere.merge(
                        new Place(share.zone(), share.resource()),
                        sign * share.amount(),
                        (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
            }
        }
        asked = null;
    }

    private int cell(NumaShare share) {
        return manager == null ? -1 : manager.layout().cell(share.zone(), share.resource());
    }

    /** Takes a report, or that there is none any more (null). What is in use by nobody known is as given. */
    void report(TopologyManager newManager, List<NumaShare> newUnknown) {
        List<NumaShare> known = charged();
        manager = newManager;
        int cells = manager == null ? 0 : manager.layout().cells();
        charged = new long[cells];
        unknown = new long[cells];
        free = new long[cells];
        elsewhere.clear();
        for (int cell = 0; cell < cells; cell++) {
            free[cell] = manager.layout().allocatable(cell);
        }
        take(new NumaPlacement(known));
        for (NumaShare share : newUnknown) {
            int cell = cell(share);
            if (cell >= 0) {
                unknown[cell] = share.amount();
                free[cell] -= share.amount();
            }
        }
    }

    /** What is said to be in use beyond what pods and holds have is in use by nobody known. */
    void reconcile(long[] inUse) {
        for (int cell = 0; cell < unknown.length; cell++) {
            unknown[cell] = Math.max(0, inUse[cell] - charged[cell]);
            free[cell] = manager.layout().allocatable(cell) - unknown[cell] - charged[cell];
        }
        asked = null;
    }

    /** Of what was in use by nobody known, this is a pod's. Whether any of it was. */
    boolean explain(NumaPlacement placement) {
        boolean any = false;
        for (NumaShare share : placement.shares()) {
            int cell = cell(share);
            if (cell >= 0) {
                long explained = Math.min(unknown[cell], share.amount());
                unknown[cell] -= explained;
                free[cell] += explained;
                any |= explained > 0;
            }
        }
        asked = null;
        return any;
    }

    /** What is in use by nobody known, without zeros. */
    List<NumaShare> unknown() {
        return shares(unknown);
    }

    /** What pods and holds have, without zeros. */
    List<NumaShare> charged() {
        List<NumaShare> all = shares(charged);
        elsewhere.forEach((place, amount) -> all.add(new NumaShare(place.zone(), place.resource(), amount)));
        return all;
    }

    private List<NumaShare> shares(long[] amounts) {
        List<NumaShare> shares = new ArrayList<>();
        for (int cell = 0; cell < amounts.length; cell++) {
            if (amounts[cell] != 0) {
                NumaLayout layout = manager.layout();
                shares.add(new NumaShare(
                        layout.zoneName(cell % layout.zones()),
                        layout.resourceName(cell / layout.zones()),
                        amounts[cell]));
            }
        }
        return shares;
    }
}
