package dev.muster.scheduler.core.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One subgroup in a gang's tree of subgroups, as KAI's PodGroup lists them.
 *
 * @param name name, unique in the gang; pods of a leaf are those of the pod set of that name
 * @param parent subgroup that it is in; empty where it is directly in the gang
 * @param minMember of a leaf: pods that must run together
 * @param minSubGroups of others: subgroups directly in it that must be placed; 0 for all of them
 * @param place where its pods must be together
 */
public record SubGroup(String name, String parent, int minMember, int minSubGroups, PodSetTopology place) {
    /** Most subgroups inside each other. */
    public static final int DEEPEST = 16;

    /** What makes these no tree, for people; empty where they are one. */
    public static String fault(List<SubGroup> subGroups) {
        Map<String, SubGroup> byName = new HashMap<>();
        for (SubGroup subGroup : subGroups) {
            if (byName.put(subGroup.name(), subGroup) != null) {
                return "subgroup " + subGroup.name() + " is there twice";
            }
        }
        for (SubGroup subGroup : subGroups) {
            int depth = 1;
            for (SubGroup at = subGroup; !at.parent().isEmpty(); at = byName.get(at.parent())) {
                if (!byName.containsKey(at.parent())) {
                    return "subgroup " + at.name() + " is in " + at.parent() + ", which is not there";
                }
                if (++depth > DEEPEST) {
                    return "subgroup " + subGroup.name() + " is in itself or more than " + DEEPEST + " deep";
                }
            }
        }
        return "";
    }
}
