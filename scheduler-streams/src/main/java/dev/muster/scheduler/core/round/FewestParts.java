package dev.muster.scheduler.core.round;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Chooses as few parts as have room for a number of slots, and of the ways to do that the one with the least room in all:
 * what fits exactly leaves the others whole. Ties go to the parts that come first in the order given, compared from the last
 * of them on.
 */
final class FewestParts {
    /** So many steps are made at most; beyond them the largest parts are taken, and the tightest that will do as the last. */
    private static final long MOST_STEPS = 1L << 23;

    private FewestParts() {}

    /** How many parts are needed at least, of these in rising order; 0 when all of them are too few. */
    static int count(long[] rising, int wanted) {
        long left = wanted;
        for (int taken = 1; taken <= rising.length; taken++) {
            left -= rising[rising.length - taken];
            if (left <= 0) {
                return taken;
            }
        }
        return 0;
    }

    /** The parts, in their order; none when all of them are too few. Parts without room are never taken. */
    static <T> List<T> of(List<T> parts, ToLongFunction<T> room, int wanted) {
        long[] rooms = parts.stream().mapToLong(room).toArray();
        int count = count(parts.stream().mapToLong(room).sorted().toArray(), wanted);
        if (count == 0) {
            return List.of();
        }
        boolean exactly = (long) rooms.length * count * wanted <= MOST_STEPS;
        boolean[] taken = exactly ? leastRoom(rooms, count, wanted) : largest(rooms, count, wanted);
        List<T> chosen = new ArrayList<>();
        for (int i = 0; i < taken.length; i++) {
            if (taken[i]) {
                chosen.add(parts.get(i));
            }
        }
        return chosen;
    }

    /**
     * For each number of parts and each sum below what is wanted, which part came last when that was first reached: what was
     * reached before that without it is as it was then. Fewer parts than needed never reach what is wanted.
     */
    private static boolean[] leastRoom(long[] rooms, int count, int wanted) {
        int[][] last = new int[count][wanted];
        long least = Long.MAX_VALUE;
        int lastOfAll = -1;
        int before = 0;
        for (int part = 0; part < rooms.length; part++) {
            for (int taken = Math.min(count, part + 1); taken > 0; taken--) {
                for (int sum = 0; sum < wanted; sum++) {
                    boolean reached = taken == 1 ? sum == 0 : last[taken - 1][sum] > 0;
                    if (!reached || rooms[part] == 0) {
                        continue;
                    }
                    long now = sum + rooms[part];
                    if (now < wanted && taken < count && last[taken][(int) now] == 0) {
                        last[taken][(int) now] = part + 1;
                    } else if (now >= wanted && now < least) {
                        least = now;
                        lastOfAll = part;
                        before = sum;
                    }
                }
            }
        }
        boolean[] taken = new boolean[rooms.length];
        taken[lastOfAll] = true;
        for (int left = count - 1, sum = before; left > 0; left--) {
            int part = last[left][sum] - 1;
            taken[part] = true;
            sum -= (int) rooms[part];
        }
        return taken;
    }

    private static boolean[] largest(long[] rooms, int count, int wanted) {
        boolean[] taken = new boolean[rooms.length];
        long left = wanted;
        for (int i = 0; i < count; i++) {
            int best = -1;
            for (int part = 0; part < rooms.length; part++) {
                boolean better = best < 0 || (i < count - 1 ? rooms[part] > rooms[best] : rooms[part] < rooms[best]);
                if (!taken[part] && better && (i < count - 1 || rooms[part] >= left)) {
                    best = part;
                }
            }
            taken[best] = true;
            left -= rooms[best];
        }
        return taken;
    }
}
