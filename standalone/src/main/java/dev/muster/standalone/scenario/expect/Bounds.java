package dev.muster.standalone.scenario.expect;

/** A number or a range, both ends included. */
public record Bounds(int min, int max) {
    public static Bounds exactly(int count) {
        return new Bounds(count, count);
    }

    boolean holds(long count) {
        return count >= min && count <= max;
    }

    @Override
    public String toString() {
        if (min == max) {
            return String.valueOf(min);
        }
        if (min == 0) {
            return "at most " + max;
        }
        return max == Integer.MAX_VALUE ? "at least " + min : min + " to " + max;
    }
}
