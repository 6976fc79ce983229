package dev.muster.standalone.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Kubernetes writes them: {@code 30s}, {@code 2m}, {@code 1h2m3s}, {@code 250ms}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,8})m(?!s))?(?:(\\d{1,10})s)?(?:(\\d{1,12})ms)?");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration such as 90s, 2m or 1h30m");
        }
        return Duration.ofHours(part(matcher, 1))
                .plusMinutes(part(matcher, 2))
                .plusSeconds(part(matcher, 3))
                .plusMillis(part(matcher, 4));
    }

    private static long part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
    }
}
