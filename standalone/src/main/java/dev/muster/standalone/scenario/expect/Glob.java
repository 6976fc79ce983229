package dev.muster.standalone.scenario.expect;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A pattern for names: {@code *} any characters, {@code ?} one, {@code [ab-d]} or {@code [!ab]} one of these. None of them
 * goes across a {@code /}.
 */
public final class Glob implements Predicate<String> {
    private final String text;
    private final Pattern pattern;

    private Glob(String text, Pattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /** @throws IllegalArgumentException where it is none; the message says what was expected */
    public static Glob of(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a name or a pattern");
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int end = text.indexOf(']', i + 2);
                    if (end < 0) {
                        throw new IllegalArgumentException("a ] that closes the [");
                    }
                    regex.append(characters(text.substring(i + 1, end)));
                    i = end;
                }
                default -> {
                    if (!Character.isLetterOrDigit(c) && "-./_".indexOf(c) < 0) {
                        throw new IllegalArgumentException("a pattern of names, *, ? and [...]");
                    }
                    regex.append(Pattern.quote(String.valueOf(c)));
                }
            }
        }
        return new Glob(text, Pattern.compile(regex.toString()));
    }

    private static String characters(String set) {
        boolean not = set.startsWith("!");
        String plain = not ? set.substring(1) : set;
        if (!plain.matches("([a-z0-9.]-[a-z0-9.]|[a-z0-9.-])+")) {
            throw new IllegalArgumentException("letters, digits and ranges such as a-d between [ and ]");
        }
        try {
            String regex = (not ? "[^/" : "[") + plain + "]";
            Pattern.compile(regex);
            return regex;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("letters, digits and ranges such as a-d between [ and ]", e);
        }
    }

    /** {@code namespace/name}. */
    public static Glob ofPath(String text) {
        if (text.indexOf('/') < 1 || text.indexOf('/') != text.lastIndexOf('/') || text.endsWith("/")) {
            throw new IllegalArgumentException("namespace/name, either with * and ?");
        }
        return of(text);
    }

    @Override
    public boolean test(String name) {
        return pattern.matcher(name).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
