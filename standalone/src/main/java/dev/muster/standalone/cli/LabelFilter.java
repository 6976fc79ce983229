package dev.muster.standalone.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An equality-based label selector, as {@code kubectl -l} takes it. */
record LabelFilter(List<Term> terms) {

    /** One condition on one label. */
    record Term(String key, String value, boolean negated, boolean existence) {
        boolean matches(Map<String, String> labels) {
            boolean holds = existence ? labels.containsKey(key) : value.equals(labels.get(key));
            return holds != negated;
        }
    }

    /** @throws CommandException when it can't be understood */
    static LabelFilter parse(String text) {
        List<Term> terms = new ArrayList<>();
        if (text.isBlank()) {
            return new LabelFilter(List.of());
        }
        for (String part : text.split(",", -1)) {
            String term = part.strip();
            int equals = term.indexOf('=');
            if (equals < 0) {
                boolean negated = term.startsWith("!");
                terms.add(new Term(key(text, negated ? term.substring(1) : term), "", negated, true));
            } else {
                boolean negated = equals > 0 && term.charAt(equals - 1) == '!';
                String key = term.substring(0, negated ? equals - 1 : equals).strip();
                String value = term.substring(term.startsWith("==", equals) ? equals + 2 : equals + 1);
                terms.add(new Term(key(text, key), value.strip(), negated, false));
            }
        }
        return new LabelFilter(terms);
    }

    /** @throws CommandException when a condition is on something else than these */
    void requireKeys(Set<String> known) {
        for (Term term : terms) {
            if (!known.contains(term.key())) {
                throw CommandException.unusableInput(
                        "-l " + term.key() + ": no such field; expected one of " + String.join(", ", known));
            }
        }
    }

    boolean matches(Map<String, String> labels) {
        return terms.stream().allMatch(term -> term.matches(labels));
    }

    private static String key(String text, String key) {
        if (!key.matches("([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")) {
            throw CommandException.unusableInput(
                    "-l " + text + ": expected KEY=VALUE, KEY!=VALUE, KEY or !KEY, joined by commas");
        }
        return key;
    }
}
