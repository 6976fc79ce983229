package dev.muster.standalone.bench.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * How CPU time grows with size, as a picture: microseconds over sizes, both axes logarithmic, with a bar from the fastest to
 * the slowest run. From the first point of the first series dashed lines grow with the size and not at all, for comparison.
 */
final class GrowthPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 78;
    private static final int RIGHT = 130;
    private static final int TOP = 56;
    private static final int BOTTOM = 58;

    private final String title;
    private final String subtitle;
    private final String axis;
    private final String unit;
    private final List<Series> all = new ArrayList<>();
    private double leastSize;
    private double mostSize;
    private double leastMicros;
    private double mostMicros;
    private final StringBuilder svg = new StringBuilder();

    /** One size and what was measured there, in microseconds. */
    record Bar(int size, Spread micros) {}

    /** Points that belong together, by rising size. */
    record Series(String name, String colour, List<Bar> bars) {
        Series {
            bars = List.copyOf(bars);
        }
    }

    /**
     * An empty picture.
     *
     * @param axis what the sizes are
     * @param unit what growth with the size is growth with
     */
    GrowthPlot(String title, String subtitle, String axis, String unit) {
        this.title = title;
        this.subtitle = subtitle;
        this.axis = axis;
        this.unit = unit;
    }

    /** Adds points; the first ones are what others are compared with. */
    void add(Series series) {
        all.add(series);
    }

    private double x(double size) {
        double share = Math.log(size / leastSize) / Math.log(mostSize / leastSize);
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(double micros) {
        double share = Math.log(micros / leastMicros) / Math.log(mostMicros / leastMicros);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    /** The picture as an SVG document; there is at least one point. */
    String draw() {
        List<Bar> bars = all.stream().flatMap(series -> series.bars().stream()).toList();
        leastSize = bars.stream().mapToInt(Bar::size).min().orElseThrow() / 1.3;
        mostSize = bars.stream().mapToInt(Bar::size).max().orElseThrow() * 1.3;
        double first = bars.getFirst().micros().median();
        // A decade above the first size leaves room to see what growth with the size would be.
        mostMicros = Math.max(
                1.5
                        * bars.stream()
                                .mapToDouble(bar -> bar.micros().high())
                                .max()
                                .orElseThrow(),
                first * 12);
        leastMicros = Math.min(
                bars.stream().mapToDouble(bar -> bar.micros().low()).min().orElseThrow() / 1.5, first / 3);
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">",
                WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, HEIGHT);
        add("<text x=\"%d\" y=\"24\" font-size=\"16\" fill=\"#222\">%s</text>", LEFT, title);
        add("<text x=\"%d\" y=\"43\" fill=\"#666\">%s</text>", LEFT, subtitle);
        axes(bars);
        reference(bars.getFirst(), 0, "constant");
        reference(bars.getFirst(), 1, "∝ " + unit);
        all.forEach(this::draw);
        add("</svg>");
        return svg.toString();
    }

    private void axes(List<Bar> bars) {
        for (double micros : decades(leastMicros, mostMicros)) {
            add(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    LEFT, y(micros), WIDTH - RIGHT, y(micros));
            add(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#444\">%s µs</text>",
                    LEFT - 8, y(micros) + 4, number(micros));
        }
        TreeSet<Integer> sizes = new TreeSet<>(bars.stream().map(Bar::size).toList());
        for (int size : sizes) {
            add(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#eee\"/>",
                    x(size), TOP, x(size), HEIGHT - BOTTOM);
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\">%,d</text>",
                    x(size), HEIGHT - BOTTOM + 20, size);
        }
        add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#888\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
        add(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, axis);
    }

    private void reference(Bar first, double exponent, String name) {
        double micros = first.micros().median();
        double end = all.getFirst().bars().getLast().size();
        if (exponent > 0) {
            end = Math.min(end, first.size() * Math.pow(mostMicros / micros, 1 / exponent));
        }
        double endMicros = micros * Math.pow(end / first.size(), exponent);
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#aaa\" stroke-dasharray=\"5 4\"/>",
                x(first.size()), y(micros), x(end), y(endMicros));
        add(
                "<text x=\"%.1f\" y=\"%.1f\" fill=\"#888\">%s</text>",
                x(end) + 8, y(endMicros) + (exponent > 0 ? 14 : 4), name);
    }

    private void draw(Series series) {
        StringBuilder path = new StringBuilder();
        for (Bar bar : series.bars()) {
            double at = x(bar.size());
            double median = y(bar.micros().median());
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", at, median));
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\" opacity=\"0.5\"/>",
                    at, y(bar.micros().high()), at, y(bar.micros().low()), series.colour());
            add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", at, median, series.colour());
            add(
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">%s µs</text>",
                    at,
                    y(bar.micros().low()) + 20,
                    series.colour(),
                    number(bar.micros().median()));
        }
        add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, series.colour());
        if (all.size() > 1) {
            Bar top = series.bars().stream()
                    .max(Comparator.comparingDouble(bar -> bar.micros().high()))
                    .orElseThrow();
            add(
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">%s</text>",
                    x(top.size()), y(top.micros().high()) - 10, series.colour(), series.name());
        }
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
