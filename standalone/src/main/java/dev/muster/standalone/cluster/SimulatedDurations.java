package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as annotations carry them: {@code 30s}, {@code 1h2m3s}, {@code 250ms}. */
final class SimulatedDurations {

    private static final Pattern WHOLE = Pattern.compile("(\\d{1,9}(ms|h|m|s))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|h|m|s)");

    private SimulatedDurations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException where it is none
     */
    static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("not a duration: " + text);
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            long count = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "h" -> Duration.ofHours(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "s" -> Duration.ofSeconds(count);
                        default -> Duration.ofMillis(count);
                    });
        }
        return sum;
    }
}
