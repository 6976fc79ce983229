package dev.muster.scheduler.streams;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** How often threads may be started anew: a process that dies again and again at the same record must not look alive. */
final class RestartBudget {
    private static final int MOST = 10;
    private static final Duration WITHIN = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final Deque<Long> taken = new ArrayDeque<>();

    RestartBudget(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes one restart, unless ten were taken within the last minute. */
    synchronized boolean take() {
        long now = nanoTime.getAsLong();
        while (!taken.isEmpty() && now - taken.peekFirst() > WITHIN.toNanos()) {
            taken.removeFirst();
        }
        if (taken.size() >= MOST) {
            return false;
        }
        taken.addLast(now);
        return true;
    }
}
