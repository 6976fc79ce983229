package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as scenario files write them: {@code 30s}, {@code 2m}, {@code 1h2m3s}, {@code 250ms}; at most ten years. */
final class Durations {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,12})ms)?");
    private static final long[] UNITS = {3_600_000, 60_000, 1_000, 1};
    private static final long LONGEST = 10L * 365 * 24 * 3_600_000;

    private Durations() {}

    /** @throws ScenarioFormatException naming the field */
    static long millis(Document document, String field, JsonNode value) {
        Matcher matcher = FORM.matcher(value.asText(""));
        boolean form = value.isTextual() && !value.asText().isEmpty() && matcher.matches();
        long sum = 0;
        for (int i = 0; form && i < UNITS.length; i++) {
            String part = matcher.group(i + 1);
            sum += part == null ? 0 : Long.parseLong(part) * UNITS[i];
        }
        if (!form || sum > LONGEST) {
            throw document.expected(
                    field, form ? "at most ten years" : "a duration such as 30s, 2m, 1h2m3s or 250ms", value);
        }
        return sum;
    }
}
