package dev.muster.service;

import java.util.Locale;
import java.util.Optional;

/**
 * A setting of a service. A star in the name stands for what the operator names: {@code kafka.*} for any setting of a Kafka
 * client, {@code tenant.*.queues} for a tenant.
 *
 * @param name lower case, words separated by dots; at most one star
 * @param kind what it may be
 * @param fallback what it is where nobody says; empty where it must be said or may be absent
 * @param required whether it must be said
 * @param secret whether its value is never printed
 * @param meaning what it is, with its unit, for the documentation
 * @param <T> type of the value
 */
public record Key<T>(
        String name, Kind<T> kind, Optional<String> fallback, boolean required, boolean secret, String meaning) {
    private static final String STAR = "*";

    /** Must be said. */
    public static <T> Key<T> required(String name, Kind<T> kind, String meaning) {
        return new Key<>(name, kind, Optional.empty(), true, false, meaning);
    }

    /** May be absent. */
    public static <T> Key<T> optional(String name, Kind<T> kind, String meaning) {
        return new Key<>(name, kind, Optional.empty(), false, false, meaning);
    }

    /** Has a default. */
    public static <T> Key<T> of(String name, Kind<T> kind, String fallback, String meaning) {
        return new Key<>(name, kind, Optional.of(fallback), false, false, meaning);
    }

    /** May be absent, and is never printed. */
    public static Key<String> secret(String name, String meaning) {
        return new Key<>(name, Kind.text(), Optional.empty(), false, true, meaning);
    }

    /** The environment variable that overrides it. */
    public String variable() {
        return "MUSTER_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Whether the name has a star. */
    boolean isFamily() {
        return name.contains(STAR);
    }

    /** What stands for the star in a full name; empty where the name is not one of the family. */
    Optional<String> memberIn(String fullName) {
        return between(name, fullName);
    }

    /**
     * The full name that a variable means. In a variable an underscore stands for what separates words: a dot at the end of
     * the name (as in Kafka's settings), a dash inside it (as in a tenant's name).
     */
    Optional<String> fullNameOf(String variable) {
        if (!isFamily()) {
            return variable.equals(variable()) ? Optional.of(name) : Optional.empty();
        }
        char separator = name.endsWith(STAR) ? '.' : '-';
        return between(variable(), variable)
                .map(member ->
                        name.replace(STAR, member.toLowerCase(Locale.ROOT).replace('_', separator)));
    }

    private static Optional<String> between(String pattern, String text) {
        int star = pattern.indexOf(STAR);
        String before = pattern.substring(0, star);
        String after = pattern.substring(star + 1);
        boolean fits =
                text.length() > before.length() + after.length() && text.startsWith(before) && text.endsWith(after);
        return fits ? Optional.of(text.substring(before.length(), text.length() - after.length())) : Optional.empty();
    }
}
