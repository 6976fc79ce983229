package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Ranks of a pod set that are placed on one node: so many in a row. What a gang that asks for a place in the topology had
 * last is kept, so that it comes back to the same nodes when all of it starts anew.
 *
 * @param podSet name of the pod set
 * @param first the first index
 * @param count how many, that one included
 * @param node name of the node
 */
public record PlacedRanks(String podSet, int first, int count, String node) {

    /** Where the ranks of a workload are now, by pod set and index; members without an index are no ranks. */
    static List<PlacedRanks> of(Workload workload) {
        List<PlacedRanks> placed = new ArrayList<>();
        for (PodSet podSet : workload.podSets.values()) {
            for (Member member : podSet.members()) {
                if (member.index() >= 0 && member.isPlaced() && member.node() != null) {
                    add(placed, member, member.node().id().name());
                }
            }
        }
        return List.copyOf(placed);
    }

    private static void add(List<PlacedRanks> placed, Member member, String node) {
        PlacedRanks last = placed.isEmpty() ? null : placed.getLast();
        if (last != null && last.isFollowedBy(member, node)) {
            placed.set(placed.size() - 1, new PlacedRanks(last.podSet, last.first, last.count + 1, last.node));
        } else {
            placed.add(new PlacedRanks(member.podSet().name(), member.index(), 1, node));
        }
    }

    private boolean isFollowedBy(Member member, String itsNode) {
        return podSet.equals(member.podSet().name()) && first + count == member.index() && node.equals(itsNode);
    }

    /** Whether it speaks of a member. */
    public boolean covers(Member member) {
        return podSet.equals(member.podSet().name()) && member.index() >= first && member.index() - first < count;
    }
}
