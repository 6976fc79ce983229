package dev.muster.standalone.bench.core;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** What the current thread uses: CPU time and memory, by the JVM's own accounts. */
final class Meter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private final long startNanos = System.nanoTime();
    private final long startAllocated = THREADS.getCurrentThreadAllocatedBytes();
    private final long startCpuNanos = THREADS.getCurrentThreadCpuTime();

    private Meter() {}

    /**
     * What was used between start and stop.
     *
     * @param cpuNanos CPU time of the thread; the collector and the compiler have threads of their own
     * @param nanos time on the clock
     * @param allocatedBytes memory the thread asked for
     */
    record Used(long cpuNanos, long nanos, long allocatedBytes) {}

    static Meter start() {
        return new Meter();
    }

    Used stop() {
        long cpuNanos = THREADS.getCurrentThreadCpuTime() - startCpuNanos;
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - startAllocated;
        return new Used(cpuNanos, System.nanoTime() - startNanos, allocated);
    }

    /** Bytes of the heap that are reachable now. */
    static long liveHeapBytes() {
        System.gc();
        System.gc(); // what the first freed may have held the last reference to more
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
