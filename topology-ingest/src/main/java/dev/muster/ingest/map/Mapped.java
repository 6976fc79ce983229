package dev.muster.ingest.map;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a mapper made of an object. Facts and refusals can come together: an object that must be counted although one of
 * its fields cannot be read (a running pod, a node with one odd resource) keeps its readable facts.
 *
 * @param <S> type of the facts
 * @param facts the facts; empty when the object was refused or when scheduling has no use for it
 * @param refusals what could not be read; empty when nothing was wrong
 */
public record Mapped<S>(Optional<S> facts, List<Refusal> refusals) {

    public Mapped {
        refusals = List.copyOf(refusals);
    }

    /** Facts of an object with nothing wrong in it. */
    public static <S> Mapped<S> of(S facts) {
        return new Mapped<>(Optional.of(facts), List.of());
    }

    /** An object that scheduling has no use for. */
    public static <S> Mapped<S> unused() {
        return new Mapped<>(Optional.empty(), List.of());
    }

    /** The facts if nothing was wrong, else only the refusals. */
    static <S> Mapped<S> strict(S facts, Problems problems) {
        return new Mapped<>(problems.any() ? Optional.empty() : Optional.of(facts), problems.refusals());
    }

    /** The facts beside whatever was wrong. */
    static <S> Mapped<S> lenient(S facts, Problems problems) {
        return new Mapped<>(Optional.of(facts), problems.refusals());
    }

    /**
     * Makes a mapper total: an exception that a mapper did not foresee becomes a refusal of that one object, so that a
     * bug met by one tenant's object never stops the others.
     */
    public static <T, S> Function<T, Mapped<S>> total(Function<T, Mapped<S>> mapper) {
        return object -> {
            try {
                return Objects.requireNonNull(mapper.apply(object));
            } catch (RuntimeException | StackOverflowError e) {
                Problems problems = new Problems();
                problems.invalid("", "cannot be read: " + e);
                return new Mapped<>(Optional.empty(), problems.refusals());
            }
        };
    }
}
