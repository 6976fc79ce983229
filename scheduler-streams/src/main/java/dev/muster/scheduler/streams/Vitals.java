package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/** Which domains this process runs, when their loop last came round, and which have stopped. Shared by tasks, consumers and the application. */
final class Vitals {
    private final LongSupplier nanoTime;
    private final Map<Integer, Long> lastRoundNanos = new ConcurrentHashMap<>();
    private final Map<Integer, String> halted = new ConcurrentSkipListMap<>();

    Vitals(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void cameRound(int partition) {
        lastRoundNanos.put(partition, nanoTime.getAsLong());
    }

    /** The task moved elsewhere or is closed. */
    void left(int partition) {
        lastRoundNanos.remove(partition);
    }

    /** Stops a domain until the process starts anew. The first reason stays. */
    void halt(int partition, String reason) {
        halted.putIfAbsent(partition, reason);
        lastRoundNanos.remove(partition);
    }

    boolean isHalted(int partition) {
        return halted.containsKey(partition);
    }

    boolean anyHalted() {
        return !halted.isEmpty();
    }

    /** Partition to reason. */
    Map<Integer, String> halted() {
        return Map.copyOf(halted);
    }

    /** Whether every running domain's loop came round within that time. */
    boolean fresh(Duration within) {
        long now = nanoTime.getAsLong();
        return lastRoundNanos.values().stream().allMatch(last -> now - last <= within.toNanos());
    }
}
