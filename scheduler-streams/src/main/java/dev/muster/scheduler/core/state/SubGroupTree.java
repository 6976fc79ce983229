package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.SubGroup;
import java.util.ArrayList;
import java.util.List;

/**
 * A subgroup of a gang with all that is in it, or the gang itself: a leaf needs so many pods of its pod set, others need so
 * many of the subgroups that are directly in them. After KAI's PodGroup ({@code subGroups}, {@code minSubGroup}).
 *
 * @param name of the subgroup; empty for the gang
 * @param needed pods of a leaf, or subgroups, that must be placed
 * @param place where its pods must be together
 * @param inside the subgroups that are directly in it, in the gang's order; none for a leaf
 */
public record SubGroupTree(String name, int needed, PodSetTopology place, List<SubGroupTree> inside) {
    public SubGroupTree {
        inside = List.copyOf(inside);
    }

    /** The whole tree of a gang that has one; null where it has none. */
    static SubGroupTree of(GangShape shape) {
        return shape.tree().isEmpty() ? null : node("", shape.place(), shape.minSubGroups(), inside("", shape.tree()));
    }

    private static List<SubGroupTree> inside(String parent, List<SubGroup> all) {
        List<SubGroupTree> inside = new ArrayList<>();
        for (SubGroup subGroup : all) {
            if (subGroup.parent().equals(parent)) {
                List<SubGroupTree> below = inside(subGroup.name(), all);
                inside.add(
                        below.isEmpty()
                                ? new SubGroupTree(subGroup.name(), subGroup.minMember(), subGroup.place(), below)
                                : node(subGroup.name(), subGroup.place(), subGroup.minSubGroups(), below));
            }
        }
        return inside;
    }

    private static SubGroupTree node(String name, PodSetTopology place, int minimum, List<SubGroupTree> inside) {
        int needed = minimum == 0 ? inside.size() : Math.min(minimum, inside.size());
        return new SubGroupTree(name, needed, place, inside);
    }

    /** Whether its pods are those of one pod set. */
    public boolean isLeaf() {
        return inside.isEmpty();
    }

    /** Whether a leaf in it, or it itself, has that name. */
    public boolean hasLeaf(String leaf) {
        return isLeaf() ? name.equals(leaf) : inside.stream().anyMatch(subGroup -> subGroup.hasLeaf(leaf));
    }

    /** The fewest pods that are enough for it. */
    public int fewestPods() {
        if (isLeaf()) {
            return needed;
        }
        return inside.stream()
                .mapToInt(SubGroupTree::fewestPods)
                .sorted()
                .limit(needed)
                .sum();
    }

    /** Whether enough of it is placed, or waits where that counts, too. */
    public boolean isMet(Workload workload, boolean withWaiting) {
        if (isLeaf()) {
            return there(workload, withWaiting) >= needed;
        }
        return met(workload, withWaiting) >= needed;
    }

    private int met(Workload workload, boolean withWaiting) {
        int met = 0;
        for (SubGroupTree subGroup : inside) {
            met += subGroup.isMet(workload, withWaiting) ? 1 : 0;
        }
        return met;
    }

    private int there(Workload workload, boolean withWaiting) {
        PodSet podSet = workload.podSets.get(name);
        if (podSet == null) {
            return 0;
        }
        return podSet.ready() + (withWaiting ? podSet.count(Member.Phase.WAITING) : 0);
    }

    /** What it has too little of, where its pods that wait are not enough; for people. */
    String shortage(Workload workload) {
        if (isLeaf()) {
            return "subgroup " + name + " has " + there(workload, true) + " of the " + needed
                    + " pods that must run together";
        }
        List<SubGroupTree> lacking = inside.stream()
                .filter(subGroup -> !subGroup.isMet(workload, true))
                .toList();
        if (needed == inside.size()) {
            return lacking.getFirst().shortage(workload);
        }
        return (name.isEmpty() ? "the gang" : "subgroup " + name) + " has " + met(workload, true) + " of the " + needed
                + " complete subgroups that it needs";
    }
}
