package dev.muster.standalone.scenario.expect;

import java.util.List;

/**
 * What became of an expectation.
 *
 * @param when {@code at 1m}, {@code always}, {@code at the end}
 * @param expected in words
 * @param seenAtMillis when it was judged, or first did not hold; -1 when nothing was ever judged
 * @param seen what was seen then
 * @param missing subjects that never existed
 */
public record Result(
        String field,
        String when,
        String expected,
        boolean held,
        long seenAtMillis,
        String seen,
        List<String> missing) {
    public Result {
        missing = List.copyOf(missing);
    }
}
