package dev.muster.standalone.scenario.expect;

import java.util.List;

/** One entry of {@code spec.expect}. */
public sealed interface Expectation {
    /** Where it stands: {@code spec.expect[2]}. */
    String field();

    /** When a condition is looked at. */
    sealed interface When {
        /** Once, after everything that was due by then. */
        record At(long millis) implements When {}

        /** When the run ends. */
        record AtEnd() implements When {}

        /** After every event. */
        record Always() implements When {}
    }

    /** A condition at its time. */
    record Single(String field, When when, Condition condition) implements Expectation {}

    /** Alternatives with times of their own: one of them must hold. */
    record OneOf(String field, List<Expectation> alternatives) implements Expectation {
        public OneOf {
            alternatives = List.copyOf(alternatives);
        }
    }
}
