package dev.muster.standalone.scenario.expect;

import java.util.List;

/**
 * Whether a condition holds now.
 *
 * @param absent whether its subject is not there at all, so that there is nothing to judge
 * @param seen what was seen, for people
 * @param missing subjects that never existed so far, each as a phrase; empty where all did
 */
public record Verdict(boolean holds, boolean absent, String seen, List<String> missing) {
    public Verdict {
        missing = List.copyOf(missing);
    }

    static Verdict of(boolean holds, String seen) {
        return new Verdict(holds, false, seen, List.of());
    }

    static Verdict absent(String seen) {
        return new Verdict(false, true, seen, List.of());
    }

    Verdict withMissing(boolean is, String subject) {
        return is ? new Verdict(holds, absent, seen, List.of(subject)) : this;
    }
}
