package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.DeviceGroup;
import dev.muster.scheduler.core.model.DeviceGroup.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Which GPUs of a node are close to each other, and which of those that are free a pod should get: from as few NVLink islands
 * as possible, there from as few NUMA nodes, there from as few PCIe switches. Of groups that hold what is asked for the one
 * with the fewest free is taken, so that whole groups stay whole. Where no group holds it, the largest is used up first.
 */
final class DeviceGroups {
    private static final int ALONE = -1;

    /** By link, closest first, and device: the group that it is in. */
    private final int[][] groupOf;

    private final boolean[] known;
    private final int islands;

    DeviceGroups(List<DeviceGroup> groups) {
        this(groups, null);
    }

    /** The same, but NUMA nodes as somebody else knows them, where the groups do not say. */
    DeviceGroups(List<DeviceGroup> groups, IntUnaryOperator zoneOf) {
        int devices = 1
                + groups.stream()
                        .flatMap(group -> group.devices().stream())
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(-1);
        this.groupOf = new int[Link.values().length][devices];
        int[] counts = new int[Link.values().length];
        Arrays.stream(groupOf).forEach(level -> Arrays.fill(level, ALONE));
        for (DeviceGroup group : groups) {
            int link = group.link().ordinal();
            group.devices().forEach(device -> groupOf[link][device] = counts[link]);
            counts[link]++;
        }
        this.islands = counts[Link.NVLINK.ordinal()];
        int numa = Link.NUMA.ordinal();
        for (int device = 0; counts[numa] == 0 && zoneOf != null && device < devices; device++) {
            groupOf[numa][device] = zoneOf.applyAsInt(device);
        }
        this.known = new boolean[groupOf.length];
        for (int link = 0; link < known.length; link++) {
            known[link] = Arrays.stream(groupOf[link]).anyMatch(group -> group != ALONE);
        }
    }

    /** So many of the free devices, rising; there must be as many. */
    int[] choose(int wanted, int[] free, BitSet unlinked) {
        int[] chosen = new int[wanted];
        choose(wanted, free, unlinked, 0, chosen, 0);
        Arrays.sort(chosen);
        return chosen;
    }

    private int choose(int wanted, int[] free, BitSet unlinked, int link, int[] into, int at) {
        if (wanted == free.length || link == groupOf.length) {
            System.arraycopy(free, 0, into, at, wanted);
            return at + wanted;
        }
        if (!known[link]) {
            return choose(wanted, free, unlinked, link + 1, into, at);
        }
        List<int[]> groups = divide(free, link, unlinked);
        int end = at;
        int missing = wanted;
        while (missing > 0) {
            int[] best = best(groups, missing);
            int part = Math.min(missing, best.length);
            end = choose(part, best, unlinked, link + 1, into, end);
            missing -= part;
            groups.remove(best);
        }
        return end;
    }

    /** The one with the fewest that has enough, otherwise the one with the most; ties to the one with the lowest device. */
    private static int[] best(List<int[]> groups, int wanted) {
        int[] best = null;
        for (int[] group : groups) {
            boolean enough = group.length >= wanted;
            boolean bestEnough = best != null && best.length >= wanted;
            boolean better = best == null
                    || enough && (!bestEnough || group.length < best.length)
                    || !enough && !bestEnough && group.length > best.length;
            best = better ? group : best;
        }
        return best;
    }

    /** Devices by group, in the order of the lowest of each. */
    private List<int[]> divide(int[] devices, int link, BitSet unlinked) {
        List<int[]> groups = new ArrayList<>();
        boolean[] taken = new boolean[devices.length];
        for (int first = 0; first < devices.length; first++) {
            if (taken[first]) {
                continue;
            }
            int group = group(devices[first], link, unlinked);
            int[] members = new int[devices.length - first];
            int count = 0;
            for (int other = first; other < devices.length; other++) {
                boolean together = other == first || group != ALONE && group(devices[other], link, unlinked) == group;
                if (!taken[other] && together) {
                    taken[other] = true;
                    members[count++] = devices[other];
                }
            }
            groups.add(Arrays.copyOf(members, count));
        }
        return groups;
    }

    private int group(int device, int link, BitSet unlinked) {
        boolean cut = link == Link.NVLINK.ordinal() && unlinked.get(device);
        return cut || device >= groupOf[link].length ? ALONE : groupOf[link][device];
    }

    /** How many islands there are. */
    int islands() {
        return islands;
    }

    /** The island of a device; -1 where it is in none. */
    int island(int device, BitSet unlinked) {
        return group(device, Link.NVLINK.ordinal(), unlinked);
    }

    /** Devices of an island below a number. */
    int size(int island, int devices) {
        int size = 0;
        int[] islandOf = groupOf[Link.NVLINK.ordinal()];
        for (int device = 0; device < Math.min(devices, islandOf.length); device++) {
            size += islandOf[device] == island ? 1 : 0;
        }
        return size;
    }
}
