package dev.muster.standalone.bench.core;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.bench.Machine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@code muster bench core} measured. */
public record CoreReport(
        CoreOptions options,
        List<Size> sizes,
        Optional<Comparison> comparison,
        Optional<LargeGang> largeGang,
        List<Queue> queues,
        List<Queues> byQueues,
        Machine machine) {
    public CoreReport {
        sizes = List.copyOf(sizes);
        queues = List.copyOf(queues);
        byQueues = List.copyOf(byQueues);
    }

    /**
     * One size of the cluster.
     *
     * @param podsPerCpuSecond pods placed for each CPU-second of the engine's thread
     * @param podsPerSecond pods placed for each second on the clock, collections of the heap included
     * @param bytesPerDecision memory allocated for each decision, with the decision itself, its rows and statuses
     */
    record Size(
            int nodes,
            int pods,
            int decisions,
            Spread podsPerCpuSecond,
            Spread podsPerSecond,
            Spread bytesPerDecision,
            FillBench.Heap heap) {
        /** What of that nobody has any more when the round is over: what the search and the book-keeping took besides. */
        double garbagePerDecision() {
            return bytesPerDecision.median() - heap.handedOut();
        }
    }

    /** The core beside the naive scheduler. */
    record Comparison(int nodes, int pods, Spread podsPerCpuSecond, double naivePodsPerCpuSecond) {
        double ratio() {
            return podsPerCpuSecond.median() / naivePodsPerCpuSecond;
        }
    }

    /** Time of a decision for a gang of 512, milliseconds on the clock. */
    record LargeGang(int nodes, int decisions, double p50Millis, double p99Millis, double maxMillis) {}

    /** Time of a decision while so many pods wait, CPU microseconds. */
    record Queue(int waitingPods, Spread microsPerDecision, double p99Micros) {}

    /** Time of a decision while the gangs are in so many queues, CPU microseconds. */
    record Queues(int queues, Spread microsPerDecision) {}

    /** How CPU time per decision grows with the queues. */
    double queuesGrowthExponent() {
        return Growth.exponent(byQueues.stream()
                .map(size ->
                        new Growth.Point(size.queues(), size.microsPerDecision().median()))
                .toList());
    }

    /** How CPU time per pod grows with the nodes. */
    double growthExponent() {
        return Growth.exponent(sizes.stream()
                .map(size -> new Growth.Point(
                        size.nodes(), 1 / size.podsPerCpuSecond().median()))
                .toList());
    }

    /** How CPU time per decision grows with the pods that wait. */
    double waitingGrowthExponent() {
        return Growth.exponent(queues.stream()
                .map(queue -> new Growth.Point(
                        queue.waitingPods(), queue.microsPerDecision().median()))
                .toList());
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "core").put("workload", options.workload().name());
        json.put("fillPercent", options.fillPercent()).put("numa", options.numa());
        json.put("topology", options.topology().name());
        json.put("runs", options.runs());
        ArrayNode results = json.putArray("results");
        sizes.forEach(size -> results.add(toJson(size)));
        json.put("growthExponent", thousandths(growthExponent()));
        comparison.ifPresent(compared -> json.putObject("naive")
                .put("nodes", compared.nodes())
                .put(
                        "podsPerCpuSecond",
                        Spread.round(compared.podsPerCpuSecond().median()))
                .put("naivePodsPerCpuSecond", Spread.round(compared.naivePodsPerCpuSecond()))
                .put("ratio", Spread.round(compared.ratio())));
        largeGang.ifPresent(large -> json.putObject("gang512")
                .put("nodes", large.nodes())
                .put("decisions", large.decisions())
                .put("p50Millis", Spread.round(large.p50Millis()))
                .put("p99Millis", Spread.round(large.p99Millis()))
                .put("maxMillis", Spread.round(large.maxMillis())));
        if (!queues.isEmpty()) {
            ArrayNode waiting = json.putArray("waiting");
            queues.forEach(queue -> waiting.addObject()
                    .put("waitingPods", queue.waitingPods())
                    .put(
                            "cpuMicrosPerDecision",
                            Spread.round(queue.microsPerDecision().median()))
                    .put("p99CpuMicros", Spread.round(queue.p99Micros())));
            json.put("waitingGrowthExponent", thousandths(waitingGrowthExponent()));
        }
        if (!byQueues.isEmpty()) {
            ArrayNode inQueues = json.putArray("queues");
            byQueues.forEach(size -> inQueues.addObject()
                    .put("queues", size.queues())
                    .put(
                            "cpuMicrosPerDecision",
                            Spread.round(size.microsPerDecision().median())));
            json.put("queuesGrowthExponent", thousandths(queuesGrowthExponent()));
        }
        json.set("machine", machine.toJson());
        return json;
    }

    private static ObjectNode toJson(Size size) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("nodes", size.nodes())
                .put("pods", size.pods())
                .put("decisions", size.decisions())
                .put("podsPerCpuSecond", Spread.round(size.podsPerCpuSecond().median()))
                .put("bytesPerNode", Math.round(size.heap().perNode()))
                .put("bytesPerWaitingPod", Math.round(size.heap().perWaitingPod()))
                .put("bytesPerRunningPod", Math.round(size.heap().perRunningPod()))
                .put("bytesPerDecision", Math.round(size.bytesPerDecision().median()))
                .put("garbageBytesPerDecision", Math.round(size.garbagePerDecision()))
                .put("podsPerSecond", Spread.round(size.podsPerSecond().median()));
        json.set("podsPerCpuSecondSpread", size.podsPerCpuSecond().toJson());
        return json;
    }

    private static double thousandths(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "core        %s, filled to %d %%%s%s; median of %d runs; warmed up with %d pods and a run of each size",
                options.workload(),
                options.fillPercent(),
                options.numa() ? ", NUMA" : "",
                options.topology() == CoreOptions.Topology.none ? "" : ", topology " + options.topology(),
                options.runs(),
                options.warmUpPods());
        line(
                text,
                "%8s %8s %12s %17s %8s %11s %11s %11s %11s %11s",
                "NODES",
                "PODS",
                "PODS/CPU-S",
                "LOW..HIGH",
                "PODS/S",
                "B/NODE",
                "B/WAITING",
                "B/RUNNING",
                "B/DECISION",
                "B/GARBAGE");
        for (Size size : sizes) {
            line(
                    text,
                    "%8d %8d %12.0f %17s %8.0f %11.0f %11.0f %11.0f %11.0f %11.0f",
                    size.nodes(),
                    size.pods(),
                    size.podsPerCpuSecond().median(),
                    String.format(
                            Locale.ROOT,
                            "%.0f..%.0f",
                            size.podsPerCpuSecond().low(),
                            size.podsPerCpuSecond().high()),
                    size.podsPerSecond().median(),
                    size.heap().perNode(),
                    size.heap().perWaitingPod(),
                    size.heap().perRunningPod(),
                    size.bytesPerDecision().median(),
                    size.garbagePerDecision());
        }
        if (sizes.size() > 1) {
            line(text, "growth      CPU time per pod grows as nodes^%.2f", growthExponent());
        }
        comparison.ifPresent(compared -> line(
                text,
                "naive       %d nodes: every node looked at for every pod %.0f pods/CPU-s, the core %.0f, %.0f times"
                        + " as many; same places",
                compared.nodes(),
                compared.naivePodsPerCpuSecond(),
                compared.podsPerCpuSecond().median(),
                compared.ratio()));
        largeGang.ifPresent(large -> line(
                text,
                "gang of 512 %d nodes, %d decisions: p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                large.nodes(),
                large.decisions(),
                large.p50Millis(),
                large.p99Millis(),
                large.maxMillis()));
        for (Queue queue : queues) {
            line(
                    text,
                    "waiting     %8d pods: %.0f CPU microseconds a decision (%.0f..%.0f), p99 %.0f",
                    queue.waitingPods(),
                    queue.microsPerDecision().median(),
                    queue.microsPerDecision().low(),
                    queue.microsPerDecision().high(),
                    queue.p99Micros());
        }
        if (queues.size() > 1) {
            line(text, "growth      CPU time per decision grows as waiting^%.2f", waitingGrowthExponent());
        }
        for (Queues size : byQueues) {
            line(
                    text,
                    "queues      %8d: %.0f CPU microseconds a decision (%.0f..%.0f)",
                    size.queues(),
                    size.microsPerDecision().median(),
                    size.microsPerDecision().low(),
                    size.microsPerDecision().high());
        }
        if (byQueues.size() > 1) {
            line(text, "growth      CPU time per decision grows as queues^%.2f", queuesGrowthExponent());
        }
        return text.append("machine     ").append(machine).append('\n').toString();
    }

    /** As a picture: CPU time per pod over nodes. */
    public String toSvg() {
        String title = String.format(
                Locale.ROOT,
                "CPU time per pod by nodes: %s, filled to %d %%%s%s",
                options.workload(),
                options.fillPercent(),
                options.numa() ? ", NUMA" : "",
                options.topology() == CoreOptions.Topology.none ? "" : ", topology " + options.topology());
        String subtitle = String.format(
                Locale.ROOT,
                "grows as nodes^%.2f; median of %d runs, bars from fastest to slowest",
                growthExponent(),
                options.runs());
        GrowthPlot plot = new GrowthPlot(title, subtitle, "nodes", "nodes");
        plot.add(new GrowthPlot.Series(
                "",
                "#0b6e4f",
                sizes.stream()
                        .map(size -> new GrowthPlot.Bar(size.nodes(), microsPerPod(size.podsPerCpuSecond())))
                        .toList()));
        return plot.draw();
    }

    private static Spread microsPerPod(Spread podsPerSecond) {
        return new Spread(1e6 / podsPerSecond.median(), 1e6 / podsPerSecond.high(), 1e6 / podsPerSecond.low());
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
