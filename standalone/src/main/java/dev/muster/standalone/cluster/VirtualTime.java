package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Cluster time that passes only when somebody lets it: a queue of events ordered by time and then by the number in which
 * they were put in. Everything runs on the thread that calls {@link #runNext} or {@link #runUntil}; nothing happens while
 * no one does. What an event throws ends the run and reaches the caller: nothing is guarded here, so that a mistake can
 * never pass as a quiet simulation.
 *
 * <p>Events may be put in from any thread (an API server in the same process serves requests on its own threads); then
 * their order is the order in which they arrive.
 */
public final class VirtualTime implements Timeline {

    private static final class Event implements Scheduled, Comparable<Event> {
        private final long atMillis;
        private final long number;
        private volatile Runnable work;

        Event(long atMillis, long number, Runnable work) {
            this.atMillis = atMillis;
            this.number = number;
            this.work = work;
        }

        @Override
        public void cancel() {
            work = null;
        }

        @Override
        public int compareTo(Event other) {
            return atMillis != other.atMillis
                    ? Long.compare(atMillis, other.atMillis)
                    : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final List<Runnable> afterEach = new ArrayList<>();
    private long nowMillis;
    private long numbers;
    private boolean closed;

    /** Time that begins at that epoch millisecond. */
    public VirtualTime(long startMillis) {
        this.nowMillis = startMillis;
    }

    @Override
    public synchronized long nowMillis() {
        return nowMillis;
    }

    @Override
    public long elapsedMillis() {
        return nowMillis();
    }

    /** Puts an event in; one in the past is due now. */
    public synchronized Scheduled at(long millis, Runnable work) {
        Event event = new Event(Math.max(millis, nowMillis), numbers++, work);
        if (!closed) {
            queue.add(event);
        }
        return event;
    }

    @Override
    public Scheduled after(Duration delay, Runnable work) {
        return at(Math.addExact(nowMillis(), delay.toMillis()), work);
    }

    @Override
    public void execute(Runnable work) {
        at(Long.MIN_VALUE, work);
    }

    /** Runs this after each event, before the next one; for what waits for something other than time. */
    public void afterEach(Runnable work) {
        afterEach.add(work);
    }

    /** When the next event is due, epoch milliseconds; {@link Long#MAX_VALUE} when there is none. */
    public synchronized long nextMillis() {
        dropCancelled();
        return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().atMillis;
    }

    /** Whether nothing is going to happen any more. */
    public boolean isIdle() {
        return nextMillis() == Long.MAX_VALUE;
    }

    /** Lets time pass to the next event and runs it; false when there is none. */
    public boolean runNext() {
        return runNext(Long.MAX_VALUE);
    }

    /** Runs everything that is due by then, and what that brings about; afterwards it is {@code millis}. */
    public void runUntil(long millis) {
        while (runNext(millis)) {
            // One after the other.
        }
        synchronized (this) {
            nowMillis = Math.max(nowMillis, millis);
        }
    }

    /**
     * Lets time pass up to {@code millis} without running anything.
     *
     * @throws IllegalStateException when something is due before
     */
    public synchronized void advanceTo(long millis) {
        if (nextMillis() < millis) {
            throw new IllegalStateException("something is due at " + nextMillis() + ", before " + millis);
        }
        nowMillis = Math.max(nowMillis, millis);
    }

    /** Runs everything that is due now, and what that brings about at this moment; false when there was nothing. */
    public boolean runDue() {
        boolean ran = false;
        while (runNext(nowMillis())) {
            ran = true;
        }
        return ran;
    }

    private boolean runNext(long untilMillis) {
        Event event;
        Runnable work;
        synchronized (this) {
            dropCancelled();
            if (queue.isEmpty() || queue.peek().atMillis > untilMillis) {
                return false;
            }
            event = queue.poll();
            nowMillis = event.atMillis;
            work = event.work;
        }
        if (work != null) {
            work.run();
            afterEach.forEach(Runnable::run);
        }
        return true;
    }

    private void dropCancelled() {
        while (!queue.isEmpty() && queue.peek().work == null) {
            queue.poll();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        queue.clear();
    }
}
