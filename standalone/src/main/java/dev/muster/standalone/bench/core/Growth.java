package dev.muster.standalone.bench.core;

import java.util.List;

/** How something grows with size: the exponent e of {@code value ~ size^e} that fits a series best. */
final class Growth {
    private Growth() {}

    /** One measured size. */
    record Point(double size, double value) {}

    /** The slope of the line of least squares through the logarithms; 0 for fewer than two sizes. */
    static double exponent(List<Point> points) {
        double meanX =
                points.stream().mapToDouble(p -> Math.log(p.size())).average().orElse(0);
        double meanY =
                points.stream().mapToDouble(p -> Math.log(p.value())).average().orElse(0);
        double covariance = 0;
        double variance = 0;
        for (Point point : points) {
            double x = Math.log(point.size()) - meanX;
            covariance += x * (Math.log(point.value()) - meanY);
            variance += x * x;
        }
        return variance == 0 ? 0 : covariance / variance;
    }
}
