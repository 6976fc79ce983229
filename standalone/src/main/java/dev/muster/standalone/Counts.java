package dev.muster.standalone;

/** Counts as people read them. */
public final class Counts {
    private Counts() {}

    /** A count and its noun: {@code 1 node}, {@code 2 nodes}, {@code 1 entry}, {@code 2 entries}. */
    public static String of(long count, String noun) {
        if (count == 1) {
            return count + " " + noun;
        }
        return count + " " + (noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s");
    }
}
