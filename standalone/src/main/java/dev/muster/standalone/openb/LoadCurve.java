package dev.muster.standalone.openb;

import java.util.List;
import java.util.stream.IntStream;

/**
 * GPU allocation over arrived load, both in percent of the cluster's GPUs. The value at x is the mean over the arrivals after
 * which the arrived load, rounded, is x. No arrival at x: NaN.
 */
final class LoadCurve {
    /** The last x. */
    static final int MOST = 130;

    private final double gpus;
    private final double[] sums = new double[MOST + 1];
    private final int[] counts = new int[MOST + 1];
    private long arrivedMilli;

    LoadCurve(long gpus) {
        this.gpus = gpus;
    }

    /** A pod arrived, and so many thousandths of GPUs are allocated now. */
    void arrived(Shape shape, long allocatedMilli) {
        arrivedMilli += shape.totalGpuMilli();
        double arrived = Math.rint(arrivedMilli / gpus / 10);
        if (arrived <= MOST) {
            sums[(int) arrived] += round(allocatedMilli / gpus / 10);
            counts[(int) arrived]++;
        }
    }

    /** The values from 0 to {@link #MOST}, rounded to two places. */
    List<Double> values() {
        return IntStream.rangeClosed(0, MOST)
                .mapToObj(x -> counts[x] == 0 ? Double.NaN : round(sums[x] / counts[x]))
                .toList();
    }

    static double round(double value) {
        return Math.rint(value * 100) / 100;
    }
}
