package dev.muster.binder;

import dev.muster.schemas.decision.WorkloadStatus;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Statuses that wait to be written: the newest of each workload, oldest workload first, so many and no more. */
final class StatusQueue {

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, WorkloadStatus> waiting = new LinkedHashMap<>();
    private final Set<String> busy = new HashSet<>();
    private boolean closed;

    StatusQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Puts a status in, in place of an older one of the same workload; waits while the queue is full. */
    void put(String workload, WorkloadStatus status) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !waiting.containsKey(workload) && waiting.size() >= capacity) {
                changed.await();
            }
            if (closed) {
                throw new AbandonedException();
            }
            waiting.put(workload, status);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what waits for a workload. */
    void drop(String workload) {
        lock.lock();
        try {
            waiting.remove(workload);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next status of a workload that nobody is writing; waits for one. {@link #release} must follow. */
    WorkloadStatus take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Optional<WorkloadStatus> next = poll();
                if (next.isPresent()) {
                    return next.get();
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next status of a workload that nobody is writing; empty when there is none. */
    Optional<WorkloadStatus> poll() {
        lock.lock();
        try {
            if (closed) {
                throw new AbandonedException();
            }
            for (Iterator<Map.Entry<String, WorkloadStatus>> all =
                            waiting.entrySet().iterator();
                    all.hasNext(); ) {
                Map.Entry<String, WorkloadStatus> next = all.next();
                if (busy.add(next.getKey())) {
                    all.remove();
                    changed.signalAll();
                    return Optional.of(next.getValue());
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** The status taken is written, or given up. */
    void release(String workload) {
        lock.lock();
        try {
            busy.remove(workload);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a newer status of the workload waits. */
    boolean isSuperseded(String workload) {
        lock.lock();
        try {
            return waiting.containsKey(workload);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
