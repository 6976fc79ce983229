package dev.muster.service;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that somebody who typed another one may have meant. */
final class Nearest {
    private Nearest() {}

    /** The nearest of the names by single characters changed, added or left out, if it is near; ties to the first in order. */
    static Optional<String> to(String typed, Collection<String> known) {
        int near = Math.max(2, typed.length() / 3);
        return known.stream()
                .filter(name -> distance(typed, name) <= near)
                .min(Comparator.<String>comparingInt(name -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's distance, row by row. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
