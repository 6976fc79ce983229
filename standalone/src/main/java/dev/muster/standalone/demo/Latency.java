package dev.muster.standalone.demo;

import org.HdrHistogram.Histogram;

/**
 * Quantiles of a latency, in milliseconds.
 *
 * @param count samples
 */
record Latency(long count, long p50Millis, long p99Millis, long maxMillis) {
    static Latency of(Histogram histogram) {
        return new Latency(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }

    @Override
    public String toString() {
        return count == 0 ? "-" : "p50 " + p50Millis + " ms, p99 " + p99Millis + " ms, max " + maxMillis + " ms";
    }
}
