package dev.muster.service;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Kubernetes writes them: {@code 30s}, {@code 2m}, {@code 1h2m3s}, {@code 250ms}. */
public final class Durations {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,8})m(?!s))?(?:(\\d{1,10})s)?(?:(\\d{1,12})ms)?");

    private Durations() {}

    /** @throws IllegalArgumentException when the text is no duration */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration such as 90s, 2m or 1h30m");
        }
        return Duration.ofHours(part(matcher, 1))
                .plusMinutes(part(matcher, 2))
                .plusSeconds(part(matcher, 3))
                .plusMillis(part(matcher, 4));
    }

    /** The shortest form that {@link #parse} reads as the same duration; of at least a millisecond's precision. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static long part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
    }
}
