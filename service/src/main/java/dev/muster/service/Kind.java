package dev.muster.service;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a setting may be.
 *
 * @param expected what is expected, to go on after "expected "
 * @param parser gives the value, or throws {@link IllegalArgumentException} where the text is none
 * @param <T> type of the value
 */
public record Kind<T>(String expected, Function<String, T> parser) {
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}");

    /** Any text that is not blank. */
    public static Kind<String> text() {
        return matching("some text", text -> true);
    }

    /** A name as of namespaces and clusters. */
    public static Kind<String> dnsLabel() {
        return matching(
                "a DNS label (a-z, 0-9, '-', at most 63 characters)",
                text -> DNS_LABEL.matcher(text).matches());
    }

    /** A name as Kafka takes it for groups and instances. */
    public static Kind<String> id() {
        return matching(
                "1 to 100 letters, digits, '.', '_' and '-'",
                text -> ID.matcher(text).matches());
    }

    /** One of these words. */
    public static Kind<String> oneOf(String... words) {
        return matching(String.join(" or ", words), Arrays.asList(words)::contains);
    }

    /** Yes or no. */
    public static Kind<Boolean> bool() {
        Kind<String> words = oneOf("true", "false");
        return new Kind<>(words.expected(), words.parser().andThen(Boolean::valueOf));
    }

    /** A whole number in a range. */
    public static Kind<Integer> integer(int least, int most) {
        return new Kind<>("a number from " + least + " to " + most, text -> {
            int number = Integer.parseInt(text);
            require(number >= least && number <= most);
            return number;
        });
    }

    /** A duration such as {@code 90s} in a range. */
    public static Kind<Duration> duration(Duration least, Duration most) {
        String range = "a duration from " + Durations.format(least) + " to " + Durations.format(most);
        return new Kind<>(range, text -> {
            Duration duration = Durations.parse(text);
            require(duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0);
            return duration;
        });
    }

    /** A file or directory; whether it is there is asked by whoever uses it. */
    public static Kind<Path> path() {
        return new Kind<>("a path", Path::of);
    }

    /** An http or https address, without user and password. */
    public static Kind<URI> httpUri() {
        return new Kind<>("an address http://HOST[:PORT][/PATH] or https://..., without user and password", text -> {
            URI uri = URI.create(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            require(http && uri.getHost() != null && uri.getUserInfo() == null);
            return uri;
        });
    }

    /** Several of a kind, separated by commas; at least one. */
    public static <T> Kind<List<T>> listOf(Kind<T> kind) {
        return new Kind<>("a list with commas, of each " + kind.expected(), text -> {
            List<T> items = Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(item -> !item.isEmpty())
                    .map(kind.parser())
                    .toList();
            require(!items.isEmpty() && items.stream().distinct().count() == items.size());
            return items;
        });
    }

    private static Kind<String> matching(String expected, Predicate<String> holds) {
        return new Kind<>(expected, text -> {
            require(!text.isBlank() && holds.test(text));
            return text;
        });
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException();
        }
    }
}
