package dev.muster.standalone.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.standalone.Counts;
import java.util.List;
import java.util.Locale;

/**
 * What came of a simulation.
 *
 * @param waiting workloads without room at the end, by id
 * @param checks placements that the audit looked at
 * @param violations the first of them
 * @param replayedEqual decisions that came out equal when the journal was replayed
 * @param engineNanos time spent in the core
 * @param wallNanos time in all
 */
public record SimulationReport(
        int nodes,
        long gpus,
        int pods,
        int decisions,
        List<WorkloadStatus> waiting,
        List<AllocationCurve.Point> curve,
        double meanGpuMilli,
        long peakGpuMilli,
        long checks,
        long violationCount,
        List<String> violations,
        int journalEntries,
        long replayedEqual,
        long engineNanos,
        long wallNanos) {
    private static final int WAITING_SHOWN = 10;
    private static final int BAR_WIDTH = 50;
    private static final int BARS = 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Whether what must hold held: nothing over-committed, and the replay decides the same. */
    public boolean good() {
        return violationCount == 0 && replayedEqual == decisions;
    }

    private int placed() {
        return pods - waiting.size();
    }

    private double decisionsPerSecond() {
        return decisions * NANOS_PER_SECOND / Math.max(1, engineNanos);
    }

    private double percent(double gpuMilli) {
        return gpus == 0 ? 0 : gpuMilli / 10.0 / gpus;
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("nodes", nodes).put("gpus", gpus).put("pods", pods);
        json.put("placed", placed()).put("waiting", waiting.size());
        json.put("decisions", decisions)
                .put("decisionsPerSecond", Math.round(decisionsPerSecond()))
                .put("engineMillis", Math.round(engineNanos / NANOS_PER_MILLI))
                .put("wallMillis", Math.round(wallNanos / NANOS_PER_MILLI));
        json.putObject("overCommitment")
                .put("placementsChecked", checks)
                .put("violations", violationCount)
                .set("first", strings(violations));
        json.putObject("replay")
                .put("journalEntries", journalEntries)
                .put("decisionsEqual", replayedEqual)
                .put("decisions", decisions);
        ObjectNode allocation = json.putObject("gpuAllocation");
        allocation.put("meanPercent", round(percent(meanGpuMilli))).put("peakPercent", round(percent(peakGpuMilli)));
        ArrayNode points = allocation.putArray("overTime");
        for (AllocationCurve.Point point : curve) {
            points.addObject()
                    .put("seconds", point.seconds())
                    .put("pods", point.pods())
                    .put("gpuMilli", point.gpuMilli())
                    .put("percent", round(percent(point.gpuMilli())));
        }
        ArrayNode list = json.putArray("waitingWorkloads");
        for (WorkloadStatus status : waiting) {
            list.addObject()
                    .put("workload", status.id().value())
                    .put("reason", status.reason().code())
                    .put("message", status.reason().message());
        }
        return json;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "trace",
                Counts.of(nodes, "node") + " with " + Counts.of(gpus, "GPU") + ", " + Counts.of(pods, "pod"));
        line(text, "placed", Counts.of(placed(), "pod") + "; " + waiting.size() + " wait");
        line(
                text,
                "decisions",
                decisions + ", " + Math.round(decisionsPerSecond()) + " per second of the core's time ("
                        + Math.round(engineNanos / NANOS_PER_MILLI) + " ms)");
        line(text, "checked", Counts.of(checks, "placement") + ", " + Counts.of(violationCount, "over-commitment"));
        violations.forEach(violation -> line(text, "", violation));
        line(
                text,
                "replay",
                replayedEqual + " of " + decisions + " decisions equal, " + Counts.of(journalEntries, "entry"));
        line(text, "GPUs", percentText(meanGpuMilli) + " in use on average, " + percentText(peakGpuMilli) + " at most");
        int every = Math.max(1, curve.size() / BARS);
        for (int i = 0; i < curve.size(); i += every) {
            AllocationCurve.Point point = curve.get(i);
            int filled = (int) Math.round(percent(point.gpuMilli()) * BAR_WIDTH / 100);
            line(
                    text,
                    "",
                    String.format(
                            Locale.ROOT,
                            "%10d s  %s%s %6s  %d pods",
                            point.seconds(),
                            "#".repeat(filled),
                            ".".repeat(Math.max(0, BAR_WIDTH - filled)),
                            percentText(point.gpuMilli()),
                            point.pods()));
        }
        for (int i = 0; i < Math.min(WAITING_SHOWN, waiting.size()); i++) {
            WorkloadStatus status = waiting.get(i);
            line(
                    text,
                    i == 0 ? "waiting" : "",
                    status.name() + ": " + status.reason().message());
        }
        if (waiting.size() > WAITING_SHOWN) {
            line(text, "", "and " + (waiting.size() - WAITING_SHOWN) + " more");
        }
        return text.toString();
    }

    private String percentText(double gpuMilli) {
        return String.format(Locale.ROOT, "%.1f %%", percent(gpuMilli));
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static ArrayNode strings(List<String> values) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        values.forEach(array::add);
        return array;
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(String.format(Locale.ROOT, "%-12s", label)).append(value).append('\n');
    }
}
