package dev.muster.scheduler.core.model;

import java.util.List;

/**
 * What a gang object says beyond a number of pods.
 *
 * @param matchPolicy what counts towards the minimum once it ran
 * @param startsWith gangs of its kind, as namespace/name, that start only together, itself among them; sorted; empty where
 *     it stands alone
 * @param place where all its pods must be together
 * @param minSubGroups subgroups directly in it that must be placed; 0 for all of the tree's
 * @param tree its subgroups, in the object's order; a tree ({@link SubGroup#fault})
 */
public record GangShape(
        MatchPolicy matchPolicy, List<String> startsWith, PodSetTopology place, int minSubGroups, List<SubGroup> tree) {
    /** A number of pods and nothing else. */
    public static final GangShape PLAIN =
            new GangShape(MatchPolicy.WAITING_AND_RUNNING, List.of(), PodSetTopology.NONE, 0, List.of());

    public GangShape {
        startsWith = List.copyOf(startsWith);
        tree = List.copyOf(tree);
    }
}
