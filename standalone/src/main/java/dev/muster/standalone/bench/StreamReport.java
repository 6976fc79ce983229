package dev.muster.standalone.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code muster bench stream} measured.
 *
 * @param violations GPUs promised twice, gangs placed twice or in part: 0, or nothing else counts
 * @param haltedDomains domains that stopped, and why
 */
public record StreamReport(
        StreamOptions options,
        List<Phase> phases,
        long violations,
        TopicSizes sizes,
        Map<String, String> haltedDomains,
        Machine machine) {
    /** Gangs that may wait when a phase ends, as time at its rate, before it counts as not keeping up. */
    private static final double BACKLOG_SECONDS = 0.5;

    public StreamReport {
        phases = List.copyOf(phases);
    }

    /**
     * One measured phase.
     *
     * @param rate gangs that arrived each second; 0 for a burst
     * @param seconds how long it was measured; for a burst until the last decision
     * @param firstGang first gang that arrived in it
     * @param endGang first gang that arrived after it
     * @param decided gangs decided in this time, whenever they arrived
     * @param waitingBefore gangs undecided at its beginning
     * @param waitingAfter gangs undecided at its end
     * @param events events that were written in this time
     * @param cpuSeconds CPU time by part of the process
     * @param latencyMillis from a gang's intended arrival to its committed decision, p50, p90, p99 and max
     */
    public record Phase(
            String name,
            int rate,
            double seconds,
            int firstGang,
            int endGang,
            int decided,
            int waitingBefore,
            int waitingAfter,
            long events,
            Map<String, Double> cpuSeconds,
            Map<String, Double> latencyMillis) {
        Phase withLatency(Map<String, Double> measured) {
            return new Phase(
                    name,
                    rate,
                    seconds,
                    firstGang,
                    endGang,
                    decided,
                    waitingBefore,
                    waitingAfter,
                    events,
                    cpuSeconds,
                    measured);
        }

        double podsPerSecond() {
            return decided * StreamOptions.GANG / seconds;
        }

        /** Whether decisions kept pace with arrivals: no more waits at the end than arrives in half a second. */
        boolean keptUp() {
            return rate == 0 || waitingAfter <= Math.max(waitingBefore, BACKLOG_SECONDS * rate) + 1;
        }
    }

    /** Whether the figures mean anything: nothing was promised twice, and no domain stopped. */
    public boolean good() {
        return violations == 0 && haltedDomains.isEmpty();
    }

    private Phase phase(String name) {
        return phases.stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Phase full = phase("full");
        json.put("benchmark", "stream").put("source", options.source().name());
        json.put("podsPerSecond", round(full.podsPerSecond())).put("keptUp", full.keptUp());
        ObjectNode half = json.putObject("latencyAtHalf");
        phase("half").latencyMillis().forEach((name, millis) -> half.put(name + "Millis", round(millis)));
        json.put("violations", violations);
        json.put("nodes", options.nodes()).put("gangSize", StreamOptions.GANG);
        json.put("gangsPerSecond", options.gangsPerSecond());
        var all = json.putArray("phases");
        phases.forEach(phase -> all.add(toJson(phase)));
        json.putObject("bytes")
                .put("journalEntries", sizes.journalEntries())
                .put("journal", sizes.journalBytes())
                .put("changelogs", sizes.changelogBytes())
                .put("inputs", sizes.inputBytes());
        json.set("machine", machine.toJson());
        ObjectNode halted = json.putObject("haltedDomains");
        haltedDomains.forEach(halted::put);
        return json;
    }

    private static ObjectNode toJson(Phase phase) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", phase.name())
                .put("gangsPerSecond", phase.rate())
                .put("seconds", round(phase.seconds()))
                .put("decidedGangs", phase.decided())
                .put("podsPerSecond", round(phase.podsPerSecond()))
                .put("keptUp", phase.keptUp())
                .put("waitingAtEnd", phase.waitingAfter())
                .put("eventsPerSecond", round(phase.events() / phase.seconds()));
        ObjectNode latency = json.putObject("latencyMillis");
        phase.latencyMillis().forEach((name, millis) -> latency.put(name, round(millis)));
        ObjectNode cpu = json.putObject("cpuSeconds");
        phase.cpuSeconds().forEach((part, seconds) -> cpu.put(part, round(seconds)));
        return json;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        String way = switch (options.source()) {
            case jobs -> "one submission per gang";
            case pods -> "a PodGroup and 8 pods per gang, as watched from a cluster";
        };
        text.append(String.format(
                Locale.ROOT,
                "stream      %d nodes of 8 GPUs, gangs of 8 pods; %s; one decision record per gang%n",
                options.nodes(),
                way));
        text.append(String.format(
                Locale.ROOT,
                "%-8s %9s %9s %9s %8s %8s %8s %8s  %s%n",
                "PHASE",
                "GANGS/S",
                "PODS/S",
                "EVENTS/S",
                "P50 MS",
                "P99 MS",
                "MAX MS",
                "WAITING",
                "CPU CORES"));
        for (Phase phase : phases) {
            Map<String, Double> latency = phase.latencyMillis();
            text.append(String.format(
                    Locale.ROOT,
                    "%-8s %9.0f %9.0f %9.0f %8.1f %8.1f %8.1f %8d  %s%n",
                    phase.name(),
                    phase.decided() / phase.seconds(),
                    phase.podsPerSecond(),
                    phase.events() / phase.seconds(),
                    latency.get("p50"),
                    latency.get("p99"),
                    latency.get("max"),
                    phase.waitingAfter(),
                    cores(phase)));
        }
        Phase full = phase("full");
        if (!full.keptUp()) {
            text.append(String.format(
                    Locale.ROOT,
                    "            did not keep up with %d gangs/s: %d gangs waited at the end of the phase%n",
                    full.rate(),
                    full.waitingAfter()));
        }
        text.append(String.format(
                Locale.ROOT,
                "written     journal %.0f MB (%.0f bytes an entry), changelogs %.0f MB, input topics %.0f MB%n",
                sizes.journalBytes() / 1e6,
                (double) sizes.journalBytes() / Math.max(1, sizes.journalEntries()),
                sizes.changelogBytes() / 1e6,
                sizes.inputBytes() / 1e6));
        text.append("violations  ")
                .append(violations)
                .append(" (a GPU promised twice, a gang placed twice or in part)\n");
        haltedDomains.forEach((domain, why) -> text.append("stopped     ")
                .append(domain)
                .append(": ")
                .append(why)
                .append('\n'));
        return text.append("machine     ").append(machine).append('\n').toString();
    }

    private static String cores(Phase phase) {
        StringBuilder text = new StringBuilder();
        phase.cpuSeconds()
                .forEach((part, seconds) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(part)
                        .append(String.format(Locale.ROOT, " %.2f", seconds / phase.seconds())));
        return text.toString();
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
