package dev.muster.scheduler.core.state;

import java.util.Collection;
import java.util.TreeSet;

/** Small numbers for nodes, the smallest free one first. They are kept in rows, since ties between equal nodes end in them. */
final class Ordinals {
    private final TreeSet<Integer> free = new TreeSet<>();
    private int end;

    int take() {
        Integer smallest = free.pollFirst();
        return smallest != null ? smallest : end++;
    }

    void give(int ordinal) {
        free.add(ordinal);
    }

    /** Starts from those that rows say are taken. */
    void restore(Collection<Integer> taken) {
        end = taken.stream().mapToInt(ordinal -> ordinal + 1).max().orElse(0);
        for (int ordinal = 0; ordinal < end; ordinal++) {
            free.add(ordinal);
        }
        // Not removeAll: of a list that is as long it would look through all for each.
        taken.forEach(free::remove);
    }
}
