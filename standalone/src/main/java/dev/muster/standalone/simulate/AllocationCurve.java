package dev.muster.standalone.simulate;

import dev.muster.standalone.trace.OpenbTrace;
import dev.muster.standalone.trace.TracePod;
import java.util.ArrayList;
import java.util.List;

/** How much of the GPUs is in use over simulated time: about a hundred points, the exact mean and the peak. */
final class AllocationCurve {
    private static final int POINTS = 100;

    private final List<Point> points = new ArrayList<>();
    private final long stepSeconds;
    private long startSeconds = -1;
    private long lastSeconds;
    private long lastGpuMilli;
    private long peakGpuMilli;
    private double gpuMilliSeconds;

    /**
     * What was in use at a moment.
     *
     * @param seconds trace time
     * @param gpuMilli thousandths of GPUs
     * @param pods running pods
     */
    record Point(long seconds, long gpuMilli, int pods) {}

    AllocationCurve(OpenbTrace trace) {
        long first =
                trace.pods().stream().mapToLong(TracePod::createdSeconds).min().orElse(0);
        long last = trace.pods().stream()
                .mapToLong(pod -> pod.deletedSeconds() == TracePod.NEVER ? pod.createdSeconds() : pod.deletedSeconds())
                .max()
                .orElse(0);
        stepSeconds = Math.max(1, (last - first) / POINTS);
    }

    /** What is in use from this moment on. */
    void record(long seconds, long gpuMilli, int pods) {
        if (startSeconds < 0) {
            startSeconds = seconds;
        } else {
            gpuMilliSeconds += (double) lastGpuMilli * (seconds - lastSeconds);
        }
        lastSeconds = seconds;
        lastGpuMilli = gpuMilli;
        peakGpuMilli = Math.max(peakGpuMilli, gpuMilli);
        boolean due = points.isEmpty() || seconds >= points.getLast().seconds() + stepSeconds;
        if (due) {
            points.add(new Point(seconds, gpuMilli, pods));
        }
    }

    List<Point> points() {
        return List.copyOf(points);
    }

    /** Over the whole time, thousandths of GPUs. */
    double meanGpuMilli() {
        return lastSeconds <= startSeconds ? lastGpuMilli : gpuMilliSeconds / (lastSeconds - startSeconds);
    }

    long peakGpuMilli() {
        return peakGpuMilli;
    }
}
