package dev.muster.standalone.bench.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collection;

/** Repeated measurements of one thing: median, least and most. */
record Spread(double median, double low, double high) {
    static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** The value below or at which so many of a hundred values lie. */
    static double percentile(Collection<Double> values, int percent) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("median", round(median))
                .put("low", round(low))
                .put("high", round(high));
    }

    static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
