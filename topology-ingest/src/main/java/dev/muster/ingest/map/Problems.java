package dev.muster.ingest.map;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one object, bounded in count and length. */
final class Problems {

    private static final int MOST = 16;
    private static final int LONGEST_MESSAGE = 240;
    private static final int LONGEST_VALUE = 64;

    private final List<Refusal> refusals = new ArrayList<>();

    boolean any() {
        return !refusals.isEmpty();
    }

    List<Refusal> refusals() {
        return refusals;
    }

    void invalid(String field, String message) {
        add(new Refusal(Refusal.INVALID, clean(field, LONGEST_MESSAGE), clean(message, LONGEST_MESSAGE)));
    }

    void invalid(String field, Object found, String expected) {
        String value = clean(String.valueOf(found), LONGEST_VALUE);
        invalid(field, "is '" + value + "', expected " + expected);
    }

    void tooLarge(String field, long found, long most) {
        add(new Refusal(Refusal.TOO_LARGE, clean(field, LONGEST_MESSAGE), "is " + found + ", at most " + most));
    }

    /** True if {@code found} is within {@code most}; records a problem otherwise. */
    boolean within(String field, long found, long most) {
        if (found > most) {
            tooLarge(field, found, most);
        }
        return found <= most;
    }

    /** Takes over what another collected. */
    void addAll(Problems others) {
        others.refusals.forEach(this::add);
    }

    private void add(Refusal refusal) {
        if (refusals.size() < MOST) {
            refusals.add(refusal);
        }
    }

    private static String clean(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest) + "…";
        StringBuilder out = new StringBuilder(cut.length());
        cut.chars()
                .forEach(
                        c -> out.append(Character.isISOControl(c) || Character.isSurrogate((char) c) ? '?' : (char) c));
        return out.toString();
    }
}
