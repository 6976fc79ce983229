package dev.muster.standalone.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;

/** CPU seconds of this process, by what its threads are for. */
final class CpuMeter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuMeter() {}

    /** CPU nanoseconds since the JVM started, by part: scheduler, load (the bench itself), broker, jvm (collector, compilers). */
    static Map<String, Long> read() {
        Map<String, Long> nanos = new TreeMap<>(Map.of("scheduler", 0L, "load", 0L, "broker", 0L));
        long[] ids = THREADS.getAllThreadIds();
        var infos = THREADS.getThreadInfo(ids);
        long known = 0;
        for (int i = 0; i < ids.length; i++) {
            long cpu = infos[i] == null ? -1 : THREADS.getThreadCpuTime(ids[i]);
            if (cpu > 0) {
                nanos.merge(partOf(infos[i].getThreadName()), cpu, Long::sum);
                known += cpu;
            }
        }
        nanos.put("jvm", Math.max(0, processNanos() - known));
        return nanos;
    }

    /** CPU nanoseconds since the JVM started. */
    static long processNanos() {
        return PROCESS.getProcessCpuTime();
    }

    /** What was used between two readings, CPU seconds. */
    static Map<String, Double> between(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Double> seconds = new TreeMap<>();
        after.forEach((part, nanos) -> seconds.put(part, (nanos - before.getOrDefault(part, 0L)) / 1e9));
        return seconds;
    }

    private static String partOf(String thread) {
        if (thread.contains("bench-")) {
            return "load";
        }
        return thread.contains("StreamThread") || thread.contains("muster-scheduler") ? "scheduler" : "broker";
    }
}
