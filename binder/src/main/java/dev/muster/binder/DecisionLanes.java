package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Carries decisions out: those of one workload one after the other as they were made, those of different workloads at
 * once. A decision that takes others back stops them first, and begins when they have ended.
 */
final class DecisionLanes {

    private record Task(Decision decision, Halt halt, CompletableFuture<Void> done) {}

    /** Publishes an outcome; returns when it is safe. */
    @FunctionalInterface
    interface Report {
        void publish(Outcome outcome, Halt halt);
    }

    private final BiFunction<Decision, Halt, Outcome> carrier;
    private final Report report;
    private final Executor threads;
    private final MeterRegistry meters;
    private final Supplier<Halt> halts;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Map<String, Deque<Task>> lanes = new HashMap<>();
    private boolean closed;

    /** Lanes of a binder that hears of each decision as it is made. */
    DecisionLanes(BiFunction<Decision, Halt, Outcome> carrier, Report report, Executor threads, MeterRegistry meters) {
        this(carrier, report, threads, meters, Halt::new);
    }

    /** @param halts makes the halt of a decision that was read just now */
    DecisionLanes(
            BiFunction<Decision, Halt, Outcome> carrier,
            Report report,
            Executor threads,
            MeterRegistry meters,
            Supplier<Halt> halts) {
        this.carrier = carrier;
        this.report = report;
        this.threads = threads;
        this.meters = meters;
        this.halts = halts;
    }

    /**
     * Takes a decision in. The result completes when its outcome is safe, exceptionally with {@link
     * AbandonedException} when the binder closed first, with anything else when the binder can't go on.
     */
    CompletableFuture<Void> submit(Decision decision) {
        Task task = new Task(decision, halts.get(), new CompletableFuture<>());
        boolean first;
        lock.lock();
        try {
            if (closed) {
                task.done.completeExceptionally(new AbandonedException());
                return task.done;
            }
            Deque<Task> lane = lanes.computeIfAbsent(decision.getWorkload(), w -> new ArrayDeque<>());
            lane.forEach(earlier -> stop(earlier, decision));
            lane.add(task);
            first = lane.size() == 1;
        } finally {
            lock.unlock();
        }
        if (first) {
            begin(task);
        }
        return task.done;
    }

    /** Gives what is under way a chance to end, then abandons the rest; it is done again at the next start. */
    void close(Duration grace) {
        lock.lock();
        try {
            closed = true;
            awaitIdle(grace);
            lanes.values().forEach(lane -> lane.forEach(task -> task.halt.close()));
            awaitIdle(Duration.ofSeconds(10));
        } finally {
            lock.unlock();
        }
    }

    private void awaitIdle(Duration atMost) {
        long nanos = atMost.toNanos();
        try {
            while (!lanes.isEmpty() && nanos > 0) {
                nanos = idle.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(Task earlier, Decision decision) {
        boolean takenBack = switch (decision.getAction()) {
            case Revoke revoke -> earlier.decision.getId().equals(revoke.getRevokedDecisionId());
            case DeletePods delete -> earlier.decision.getAction() instanceof PlaceGang;
            default -> false;
        };
        if (takenBack) {
            earlier.halt.revoke();
        }
    }

    private void begin(Task task) {
        threads.execute(() -> {
            try {
                task.halt.checkOpen();
                long startNanos = System.nanoTime();
                Outcome outcome = carrier.apply(task.decision, task.halt);
                report.publish(outcome, task.halt);
                measure(task.decision, outcome, System.nanoTime() - startNanos);
                task.done.complete(null);
            } catch (RuntimeException | Error e) {
                task.done.completeExceptionally(e);
            } finally {
                // Told first, ended second: who waits for the lanes to be idle finds everything told.
                end(task);
            }
        });
    }

    private void end(Task task) {
        Task next;
        lock.lock();
        try {
            Deque<Task> lane = lanes.get(task.decision.getWorkload());
            lane.remove();
            next = lane.peek();
            if (next == null) {
                lanes.remove(task.decision.getWorkload());
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            begin(next);
        }
    }

    private void measure(Decision decision, Outcome outcome, long nanos) {
        String action = decision.getAction().getClass().getSimpleName();
        Timer.builder("muster.binder.decision")
                .description("Time from taking a decision up to its outcome being safe")
                .tag("action", action)
                .publishPercentileHistogram()
                .register(meters)
                .record(nanos, TimeUnit.NANOSECONDS);
        meters.counter("muster.binder.outcomes", "status", outcome.getStatus().name())
                .increment();
    }
}
