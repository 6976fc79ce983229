package dev.muster.standalone.bench.core;

import dev.muster.standalone.bench.core.CoreReport.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The sizes of a report as a picture: CPU time per pod over nodes, both axes logarithmic, with a bar from the fastest to
 * the slowest run. Dashed lines grow with the nodes and not at all, for comparison.
 */
final class ScalingPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 78;
    private static final int RIGHT = 130;
    private static final int TOP = 56;
    private static final int BOTTOM = 58;

    private final CoreReport report;
    private final double leastNodes;
    private final double mostNodes;
    private final double leastMicros;
    private final double mostMicros;
    private final StringBuilder svg = new StringBuilder();

    private ScalingPlot(CoreReport report) {
        this.report = report;
        List<Size> sizes = report.sizes();
        leastNodes = sizes.getFirst().nodes() / 1.3;
        mostNodes = sizes.getLast().nodes() * 1.3;
        double first = micros(sizes.getFirst(), Spread::median);
        double most = sizes.stream()
                .mapToDouble(size -> micros(size, Spread::low))
                .max()
                .orElseThrow();
        double least = sizes.stream()
                .mapToDouble(size -> micros(size, Spread::high))
                .min()
                .orElseThrow();
        // A decade above the first size leaves room to see what growth with the nodes would be.
        mostMicros = Math.max(most * 1.5, first * 12);
        leastMicros = Math.min(least / 1.5, first / 3);
    }

    /** The picture as an SVG document. */
    static String of(CoreReport report) {
        return new ScalingPlot(report).draw();
    }

    private static double micros(Size size, ToDoubleFunction<Spread> which) {
        return 1e6 / which.applyAsDouble(size.podsPerCpuSecond());
    }

    private double x(double nodes) {
        double share = Math.log(nodes / leastNodes) / Math.log(mostNodes / leastNodes);
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(double micros) {
        double share = Math.log(micros / leastMicros) / Math.log(mostMicros / leastMicros);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">",
                WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, HEIGHT);
        add(
                "<text x=\"%d\" y=\"24\" font-size=\"16\" fill=\"#222\">CPU time per pod by nodes: %s, filled to %d %%%s%s</text>",
                LEFT,
                report.options().workload(),
                report.options().fillPercent(),
                report.options().numa() ? ", NUMA" : "",
                report.options().topology() == CoreOptions.Topology.none
                        ? ""
                        : ", topology " + report.options().topology());
        add(
                "<text x=\"%d\" y=\"43\" fill=\"#666\">grows as nodes^%.2f; median of %d runs, bars from fastest to slowest</text>",
                LEFT, report.growthExponent(), report.options().runs());
        axes();
        references();
        series();
        add("</svg>");
        return svg.toString();
    }

    private void axes() {
        for (double micros : decades(leastMicros, mostMicros)) {
            add(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    LEFT, y(micros), WIDTH - RIGHT, y(micros));
            add(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#444\">%s µs</text>",
                    LEFT - 8, y(micros) + 4, number(micros));
        }
        for (Size size : report.sizes()) {
            add(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#eee\"/>",
                    x(size.nodes()), TOP, x(size.nodes()), HEIGHT - BOTTOM);
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\">%,d</text>",
                    x(size.nodes()), HEIGHT - BOTTOM + 20, size.nodes());
        }
        add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#888\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
        add(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\">nodes</text>",
                (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14);
    }

    /** From the first size on: what no growth and growth with the nodes would look like. */
    private void references() {
        Size first = report.sizes().getFirst();
        double start = micros(first, Spread::median);
        reference(first.nodes(), start, 0, "constant");
        reference(first.nodes(), start, 1, "∝ nodes");
    }

    private void reference(double nodes, double micros, double exponent, String name) {
        double end = report.sizes().getLast().nodes();
        if (exponent > 0) {
            end = Math.min(end, nodes * Math.pow(mostMicros / micros, 1 / exponent));
        }
        double endMicros = micros * Math.pow(end / nodes, exponent);
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#aaa\" stroke-dasharray=\"5 4\"/>",
                x(nodes), y(micros), x(end), y(endMicros));
        add(
                "<text x=\"%.1f\" y=\"%.1f\" fill=\"#888\">%s</text>",
                x(end) + 8, y(endMicros) + (exponent > 0 ? 14 : 4), name);
    }

    private void series() {
        StringBuilder path = new StringBuilder();
        for (Size size : report.sizes()) {
            double at = x(size.nodes());
            double median = micros(size, Spread::median);
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", at, y(median)));
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#0b6e4f\" stroke-width=\"2\" opacity=\"0.5\"/>",
                    at, y(micros(size, Spread::low)), at, y(micros(size, Spread::high)));
            add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#0b6e4f\"/>", at, y(median));
            add(
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#0b6e4f\">%s µs</text>",
                    at, y(micros(size, Spread::high)) + 20, number(median));
        }
        add("<path d=\"%s\" fill=\"none\" stroke=\"#0b6e4f\" stroke-width=\"2\"/>", path);
    }

    /** 1, 2 and 5 times powers of ten between two values. */
    private static List<Double> decades(double least, double most) {
        List<Double> values = new ArrayList<>();
        for (double decade = Math.pow(10, Math.floor(Math.log10(least))); decade <= most; decade *= 10) {
            for (int times : new int[] {1, 2, 5}) {
                if (decade * times >= least && decade * times <= most) {
                    values.add(decade * times);
                }
            }
        }
        return values;
    }

    private static String number(double value) {
        return value >= 100
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value).replaceAll("\\.?0+$", "");
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
