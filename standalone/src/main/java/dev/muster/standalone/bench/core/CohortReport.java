package dev.muster.standalone.bench.core;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.bench.Machine;
import dev.muster.standalone.bench.core.GrowthPlot.Series;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** What {@code muster bench queues} measured. */
public record CohortReport(
        CohortOptions options, List<Size> byWaiting, List<Size> byQueues, List<Search> searches, Machine machine) {
    public CohortReport {
        byWaiting = List.copyOf(byWaiting);
        byQueues = List.copyOf(byQueues);
        searches = List.copyOf(searches);
    }

    /**
     * One size. CPU microseconds of the engine's thread.
     *
     * @param micros for each workload that ended: its end, the round, the start of the next
     * @param roundMicros of the round alone
     * @param bytes allocated for each workload that ended
     */
    record Size(int queues, int waiting, Spread micros, Spread roundMicros, double p99Micros, double bytes) {}

    /**
     * Time to find whom to evict for a gang, milliseconds on the clock.
     *
     * @param right by which they may be evicted
     * @param gang pods of the gang
     * @param gpus GPUs of each of its pods
     * @param victims pods to be evicted
     */
    record Search(
            String right,
            int nodes,
            int gang,
            int gpus,
            int victims,
            int searches,
            double p50Millis,
            double p99Millis,
            double maxMillis) {}

    /** How CPU time per end grows with the workloads that wait. */
    double growthExponent() {
        return exponent(byWaiting, Size::waiting);
    }

    /** How it grows with the queues. */
    double queuesGrowthExponent() {
        return exponent(byQueues, Size::queues);
    }

    private static double exponent(List<Size> sizes, ToIntFunction<Size> by) {
        return Growth.exponent(sizes.stream()
                .map(size -> new Growth.Point(by.applyAsInt(size), size.micros().median()))
                .toList());
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "queues").put("nodes", options.nodes()).put("cohortLevels", CohortNews.LEVELS);
        json.put("runs", options.runs()).put("endsPerRun", options.ends());
        if (!byWaiting.isEmpty()) {
            ArrayNode results = json.putArray("results");
            byWaiting.forEach(size -> results.add(toJson(size)));
            json.put("growthExponent", Spread.round(growthExponent()));
        }
        if (!byQueues.isEmpty()) {
            ArrayNode results = json.putArray("queues");
            byQueues.forEach(size -> results.add(toJson(size)));
            json.put("queuesGrowthExponent", Spread.round(queuesGrowthExponent()));
        }
        if (!searches.isEmpty()) {
            ArrayNode results = json.putArray("preemption");
            searches.forEach(search -> results.addObject()
                    .put("right", search.right())
                    .put("nodes", search.nodes())
                    .put("gangPods", search.gang())
                    .put("gpusPerPod", search.gpus())
                    .put("victims", search.victims())
                    .put("searches", search.searches())
                    .put("p50Millis", Spread.round(search.p50Millis()))
                    .put("p99Millis", Spread.round(search.p99Millis()))
                    .put("maxMillis", Spread.round(search.maxMillis())));
        }
        json.set("machine", machine.toJson());
        return json;
    }

    private static ObjectNode toJson(Size size) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("queues", size.queues())
                .put("waiting", size.waiting())
                .put("cpuMicrosPerEnd", Spread.round(size.micros().median()))
                .put("cpuMicrosPerRound", Spread.round(size.roundMicros().median()))
                .put("p99CpuMicros", Spread.round(size.p99Micros()))
                .put("bytesPerEnd", Math.round(size.bytes()));
        json.set("cpuMicrosPerEndSpread", size.micros().toJson());
        return json;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "queues      %d nodes, all taken; %d levels of cohorts; median of %d runs of %d workloads that end",
                options.nodes(),
                CohortNews.LEVELS,
                options.runs(),
                options.ends());
        if (!byWaiting.isEmpty() || !byQueues.isEmpty()) {
            line(
                    text,
                    "%8s %9s %11s %17s %11s %11s %11s",
                    "QUEUES",
                    "WAITING",
                    "US/END",
                    "LOW..HIGH",
                    "P99",
                    "US/ROUND",
                    "B/END");
        }
        byWaiting.forEach(size -> line(text, size));
        if (byWaiting.size() > 1) {
            line(text, "growth      CPU time per end grows as waiting^%.2f", growthExponent());
        }
        byQueues.forEach(size -> line(text, size));
        if (byQueues.size() > 1) {
            line(text, "growth      CPU time per end grows as queues^%.2f", queuesGrowthExponent());
        }
        for (Search search : searches) {
            line(
                    text,
                    "preemption  by %-8s for %d pods of %d GPUs, %d nodes: %d pods evicted, p50 %.1f ms, p99 %.1f ms, max %.1f ms (%d)",
                    search.right(),
                    search.gang(),
                    search.gpus(),
                    search.nodes(),
                    search.victims(),
                    search.p50Millis(),
                    search.p99Millis(),
                    search.maxMillis(),
                    search.searches());
        }
        return text.append("machine     ").append(machine).append('\n').toString();
    }

    private static void line(StringBuilder text, Size size) {
        line(
                text,
                "%8d %9d %11.0f %17s %11.0f %11.0f %11.0f",
                size.queues(),
                size.waiting(),
                size.micros().median(),
                String.format(
                        Locale.ROOT,
                        "%.0f..%.0f",
                        size.micros().low(),
                        size.micros().high()),
                size.p99Micros(),
                size.roundMicros().median(),
                size.bytes());
    }

    /** As a picture: CPU time per end over what waits, and over queues. */
    public String toSvg() {
        String title = String.format(
                Locale.ROOT,
                "CPU time per workload that ends: %d nodes, all taken, %d levels of cohorts",
                options.nodes(),
                CohortNews.LEVELS);
        String subtitle = String.format(
                Locale.ROOT,
                "grows as waiting^%.2f and queues^%.2f; median of %d runs, bars from fastest to slowest",
                growthExponent(),
                queuesGrowthExponent(),
                options.runs());
        GrowthPlot plot = new GrowthPlot(title, subtitle, "workloads waiting, or queues", "size");
        if (!byWaiting.isEmpty()) {
            plot.add(series("waiting, in " + options.queues() + " queues", "#0b6e4f", byWaiting, Size::waiting));
        }
        if (!byQueues.isEmpty()) {
            plot.add(series("queues", "#8a4b08", byQueues, Size::queues));
        }
        return plot.draw();
    }

    private static Series series(String name, String colour, List<Size> sizes, ToIntFunction<Size> by) {
        return new Series(
                name,
                colour,
                sizes.stream()
                        .map(size -> new GrowthPlot.Bar(by.applyAsInt(size), size.micros()))
                        .toList());
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
