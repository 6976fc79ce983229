package dev.muster.ingest.watch;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Time as an informer sees it: a monotonic clock to measure by, and the two ways in which it waits. */
public interface IngestClock {

    /** The clock of this machine. */
    IngestClock SYSTEM = new IngestClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
        }

        @Override
        public <E> E poll(BlockingQueue<E> queue, long millis) throws InterruptedException {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        }
    };

    /** Monotonic time in nanoseconds, of no meaning but for differences. */
    long nanoTime();

    /** Waits so long. */
    void sleep(long millis) throws InterruptedException;

    /** The head of the queue; null when there is none in time. */
    <E> E poll(BlockingQueue<E> queue, long millis) throws InterruptedException;
}
