package dev.muster.standalone.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What {@code muster bench restore} measured. */
public record RestoreReport(Optional<Replay> replay, Optional<Restart> restart, Machine machine) {
    /**
     * The replay of a journal.
     *
     * @param entries entries replayed
     * @param decisions decisions they led to, each time the same number
     * @param coreSeconds in the core alone, of entries that are in memory, decoded
     * @param coreCpuSeconds CPU time of the replaying thread for the same
     * @param kafkaSeconds read from topic {@code journal}, decoded, and replayed
     * @param kafkaCpuSeconds CPU time of the whole process for the same, broker included
     * @param journalBytes encoded size, before compression
     */
    public record Replay(
            long entries,
            long decisions,
            double coreSeconds,
            double coreCpuSeconds,
            double kafkaSeconds,
            double kafkaCpuSeconds,
            long journalBytes) {}

    /**
     * A restart after a kill.
     *
     * @param nodes nodes in the state
     * @param pods pods in the state
     * @param firstDecisionMillis from the start of the new process to its first decision, readable by a reader of committed records
     * @param cpuSeconds CPU time of the new process until then, JVM and its compilers included; the broker's is not
     * @param stepsMillis when the new process came how far, milliseconds since its start
     */
    public record Restart(
            int nodes, int pods, double firstDecisionMillis, double cpuSeconds, Map<String, Double> stepsMillis) {
        public Restart {
            stepsMillis = new TreeMap<>(stepsMillis);
        }
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "restore");
        restart.ifPresent(restarted -> {
            json.put("restartToFirstDecisionMillis", round(restarted.firstDecisionMillis()));
            ObjectNode to = json.putObject("restart");
            to.put("nodes", restarted.nodes()).put("pods", restarted.pods());
            to.put("cpuSeconds", round(restarted.cpuSeconds()));
            ObjectNode steps = to.putObject("stepsMillis");
            restarted.stepsMillis().forEach((step, millis) -> steps.put(step, round(millis)));
        });
        replay.ifPresent(replayed -> {
            json.put("replayEntriesPerSecond", round(replayed.entries() / replayed.coreSeconds()));
            json.put("kafkaReplayEntriesPerSecond", round(replayed.entries() / replayed.kafkaSeconds()));
            json.putObject("replay")
                    .put("entries", replayed.entries())
                    .put("decisions", replayed.decisions())
                    .put("coreSeconds", round(replayed.coreSeconds()))
                    .put("coreCpuSeconds", round(replayed.coreCpuSeconds()))
                    .put("kafkaSeconds", round(replayed.kafkaSeconds()))
                    .put("kafkaCpuSeconds", round(replayed.kafkaCpuSeconds()))
                    .put("journalBytes", replayed.journalBytes());
        });
        json.set("machine", machine.toJson());
        return json;
    }

    /** For people. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        replay.ifPresent(replayed -> {
            text.append(String.format(
                    Locale.ROOT,
                    "replay      %d entries, %d decisions, %.0f bytes an entry%n",
                    replayed.entries(),
                    replayed.decisions(),
                    (double) replayed.journalBytes() / replayed.entries()));
            line(text, "in the core", replayed.entries(), replayed.coreSeconds(), replayed.coreCpuSeconds());
            line(text, "through Kafka", replayed.entries(), replayed.kafkaSeconds(), replayed.kafkaCpuSeconds());
        });
        restart.ifPresent(restarted -> {
            text.append(String.format(
                    Locale.ROOT,
                    "restart     %.0f ms (%.2f CPU s) from the start of the process to its first new decision, after kill"
                            + " -9, with %d nodes and %d pods%n",
                    restarted.firstDecisionMillis(),
                    restarted.cpuSeconds(),
                    restarted.nodes(),
                    restarted.pods()));
            restarted.stepsMillis().entrySet().stream()
                    .sorted(Map.Entry.comparingByValue())
                    .forEach(step -> text.append(
                            String.format(Locale.ROOT, "            %6.0f ms  %s%n", step.getValue(), step.getKey())));
        });
        return text.append("machine     ").append(machine).append('\n').toString();
    }

    private static void line(StringBuilder text, String what, long entries, double seconds, double cpuSeconds) {
        text.append(String.format(
                Locale.ROOT,
                "            %-14s %.2f s (%.2f CPU s), %.0f entries/s%n",
                what,
                seconds,
                cpuSeconds,
                entries / seconds));
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
