package dev.muster.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Runs a step for all members of a decision at once; how many calls really are under way at once is the API's limit.
 */
final class Parallel {

    /** A virtual thread for each step. */
    static final Parallel THREADS = new Parallel(Executors::newVirtualThreadPerTaskExecutor);

    private final Supplier<ExecutorService> threads;

    /** Steps run on what is supplied, which is asked for anew and closed for each round of them. */
    Parallel(Supplier<ExecutorService> threads) {
        this.threads = threads;
    }

    /** Results of {@code step} for 0 to {@code count}, in order. Throws what a step threw, after all have ended. */
    <T> List<T> each(int count, IntFunction<T> step) {
        List<T> results = new ArrayList<>(count);
        if (count == 1) {
            results.add(step.apply(0));
            return results;
        }
        List<Future<T>> futures = new ArrayList<>(count);
        try (ExecutorService executor = threads.get()) {
            for (int i = 0; i < count; i++) {
                int index = i;
                futures.add(executor.submit(() -> step.apply(index)));
            }
        }
        for (Future<T> future : futures) {
            results.add(result(future));
        }
        return results;
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }
}
