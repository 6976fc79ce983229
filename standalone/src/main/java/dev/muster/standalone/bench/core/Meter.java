package dev.muster.standalone.bench.core;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** What the current thread uses: CPU time and memory, by the JVM's own accounts. */
final class Meter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

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

    /**
     * Bytes of the objects that are reachable now. Counted object by object: what the heap has in use after a collection
     * includes whatever the collector left lying between them.
     */
    static long liveHeapBytes() {
        try {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Matcher total = TOTAL.matcher(histogram);
            if (!total.find()) {
                throw new IllegalStateException("no total in the histogram of the heap");
            }
            return Long.parseLong(total.group(1));
        } catch (JMException e) {
            throw new IllegalStateException("this JVM does not count its objects", e);
        }
    }
}
