package dev.muster.binder;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * Decides whether there is another try, and waits before it: doubling pauses with jitter, at least what the server
 * asked for, within a budget. One instance serves one operation.
 */
final class Patience {

    /**
     * How tries are spaced.
     *
     * @param jitter up to how much of half a pause is left out: a number below the one it is given
     */
    record Spacing(BinderClock clock, long firstMillis, long maxMillis, LongUnaryOperator jitter) {
        static Spacing of(BinderClock clock, BinderConfig config) {
            return of(clock, config, bound -> ThreadLocalRandom.current().nextLong(bound));
        }

        static Spacing of(BinderClock clock, BinderConfig config, LongUnaryOperator jitter) {
            return new Spacing(
                    clock, config.firstBackoff().toMillis(), config.maxBackoff().toMillis(), jitter);
        }
    }

    private final Spacing spacing;
    private final Budget budget;
    private final Halt halt;
    private final boolean stoppable;
    private long nextMillis;

    private Patience(Spacing spacing, Budget budget, Halt halt, boolean stoppable) {
        this.spacing = spacing;
        this.budget = budget;
        this.halt = halt;
        this.stoppable = stoppable;
        this.nextMillis = spacing.firstMillis();
    }

    /** Ends with the budget, or as soon as the decision is taken back. */
    static Patience within(Budget budget, Spacing spacing, Halt halt) {
        return new Patience(spacing, budget, halt, true);
    }

    /** For what must be brought to an end once begun: ends with the budget only. */
    static Patience determined(Budget budget, Spacing spacing, Halt halt) {
        return new Patience(spacing, budget, halt, false);
    }

    /** For what must be brought to an end however long it takes. */
    static Patience endless(Spacing spacing, Halt halt) {
        return determined(Budget.unlimited(spacing.clock()), spacing, halt);
    }

    /** Waits for the next try; false when there is none. */
    boolean again() {
        return again(0);
    }

    /**
     * Waits for the next try, at least as long as the server asked for.
     *
     * @throws AbandonedException when the binder closes
     */
    boolean again(long askedMillis) {
        if (isOver()) {
            return false;
        }
        long jittered = nextMillis - spacing.jitter().applyAsLong(nextMillis / 2 + 1);
        long millis = Math.max(1, Math.min(Math.max(jittered, askedMillis), budget.leftMillis()));
        nextMillis = Math.min(nextMillis * 2, spacing.maxMillis());
        CountDownLatch latch = stoppable ? halt.ended() : halt.closed();
        try {
            spacing.clock().await(latch, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException();
        }
        halt.checkOpen();
        return !(stoppable && halt.isRevoked());
    }

    private boolean isOver() {
        halt.checkOpen();
        return budget.spent() || (stoppable && halt.isRevoked());
    }
}
