package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.standalone.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came of a demo.
 *
 * @param title what was played
 * @param ending why it ended: done, time, interrupted or stuck
 * @param startMillis time until everything was up and had seen all nodes
 * @param playMillis time from the first arrival to the end
 * @param endMillis wall time of the end, epoch milliseconds
 * @param dataDir where the topics are kept; empty when they are not
 * @param next commands to try next
 */
public record Summary(
        String title,
        Ending ending,
        long startMillis,
        long playMillis,
        long endMillis,
        Snapshot state,
        String dataDir,
        List<String> next) {
    private static final int WAITING_SHOWN = 5;
    private static final int WIDTH = 108;

    /** Why a demo ended. */
    public enum Ending {
        /** Everything that fits ran; what is left waits for something that will not come. */
        DONE,
        /** The time given was over. */
        TIME_OVER,
        /** Somebody stopped it. */
        INTERRUPTED,
        /** Something should have moved and did not. */
        STUCK
    }

    /** Whether what must hold held: nothing over-committed, no gang in part, not stuck. */
    public boolean good() {
        return state.violationCount() == 0 && state.gangs().half() == 0 && ending != Ending.STUCK;
    }

    /** For programs; the fields are stable. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("title", title).put("ending", ending.name().toLowerCase(Locale.ROOT));
        json.put("startMillis", startMillis).put("playMillis", playMillis);
        json.put("nodes", state.nodes().size());
        PodLedger.PodCounts pods = state.pods();
        json.putObject("pods")
                .put("submitted", pods.known())
                .put("bound", pods.everBound())
                .put("finished", pods.finished())
                .put("running", pods.holding())
                .put("waiting", pods.unbound());
        Snapshot.Gangs gangs = state.gangs();
        json.putObject("gangs")
                .put("total", gangs.total())
                .put("placedWhole", gangs.placedWhole())
                .put("waiting", gangs.waiting())
                .put("partlyBound", gangs.half());
        decisions(json.putObject("decisions"));
        ObjectNode latency = json.putObject("latencyMillis");
        latency(latency.putObject("podToDecision"), state.decisionLatency());
        latency(latency.putObject("podToBound"), state.boundLatency());
        latency(latency.putObject("podToDecisionAfterWaitingForRoom"), state.waitingLatency());
        double gpus = Math.max(1, state.gpus());
        json.putObject("gpus")
                .put("total", state.gpus())
                .put("averageUsed", round(state.gpuMilliAverage() / 1000))
                .put("peakUsed", round(state.gpuMilliPeak() / 1000.0))
                .put("averagePercent", round(state.gpuMilliAverage() / 10 / gpus))
                .put("peakPercent", round(state.gpuMilliPeak() / 10.0 / gpus));
        json.putObject("violations").put("count", state.violationCount()).set("first", strings(state.violations()));
        var waiting = json.putArray("waiting");
        state.waiting().forEach(w -> waiting(waiting.addObject(), w));
        json.put("dataDir", dataDir.isEmpty() ? null : dataDir);
        json.set("next", strings(next));
        return json;
    }

    /** For people. */
    public String toText() {
        Snapshot.Decisions decisions = state.decisions();
        PodLedger.PodCounts pods = state.pods();
        double gpus = Math.max(1, state.gpus());
        StringBuilder text = new StringBuilder();
        line(text, "demo", title + "; " + endingText());
        line(
                text,
                "up after",
                Text.decimal(startMillis / 1000.0) + " s, played for " + Text.decimal(playMillis / 1000.0) + " s");
        line(
                text,
                "pods",
                pods.known() + " submitted, " + pods.everBound() + " bound, " + pods.finished() + " finished, "
                        + pods.holding() + " running, " + pods.unbound() + " waiting");
        line(
                text,
                "gangs",
                state.gangs().placedWhole() + " of " + state.gangs().total() + " placed whole, "
                        + state.gangs().waiting() + " waiting, " + state.gangs().half() + " in part");
        line(
                text,
                "decisions",
                decisions.total() + " (" + Counts.of(decisions.placements(), "placement") + " of "
                        + Counts.of(decisions.podsPlaced(), "pod") + ", " + decisions.revokes() + " taken back), "
                        + Text.decimal(decisions.total() * 1000.0 / Math.max(1, playMillis)) + "/s, at most "
                        + state.decisionsPerSecondPeak() + "/s");
        line(text, "latency", "pod to committed decision " + state.decisionLatency());
        line(text, "", "pod to bound " + state.boundLatency());
        line(text, "", "pod to decision where room had to come free " + state.waitingLatency());
        line(
                text,
                "GPUs",
                state.gpus() + ", on average " + Text.percent(state.gpuMilliAverage() / 1000, gpus) + " in use, peak "
                        + Text.percent(state.gpuMilliPeak() / 1000.0, gpus));
        line(text, "violations", state.violationCount() + " (a node or GPU promised twice)");
        state.violations().forEach(violation -> line(text, "", violation));
        waiting(text);
        if (!dataDir.isEmpty()) {
            line(text, "data", dataDir);
        }
        next.forEach(command -> text.append("Next: ").append(command).append('\n'));
        return text.toString();
    }

    private void waiting(StringBuilder text) {
        List<WorkloadStatus> waiting = state.waiting();
        for (int i = 0; i < Math.min(WAITING_SHOWN, waiting.size()); i++) {
            WorkloadStatus w = waiting.get(i);
            String label = i == 0 ? "waiting" : "";
            String why = w.getReason().getCode() + ": " + w.getReason().getMessage();
            for (String part : Text.wrap(w.getNamespace() + "/" + w.getName() + " " + why, WIDTH)) {
                line(text, label, part);
                label = "";
            }
        }
        if (waiting.size() > WAITING_SHOWN) {
            line(text, "", "and " + (waiting.size() - WAITING_SHOWN) + " more");
        }
    }

    private String endingText() {
        return switch (ending) {
            case DONE -> "all that fits has run";
            case TIME_OVER -> "time is over";
            case INTERRUPTED -> "stopped";
            case STUCK -> "STUCK: something should have moved and did not";
        };
    }

    private void decisions(ObjectNode into) {
        Snapshot.Decisions decisions = state.decisions();
        into.put("total", decisions.total())
                .put("placements", decisions.placements())
                .put("podsPlaced", decisions.podsPlaced())
                .put("revokes", decisions.revokes())
                .put("deletions", decisions.deletions())
                .put("evictions", decisions.evictions())
                .put("perSecond", round(decisions.total() * 1000.0 / Math.max(1, playMillis)))
                .put("perSecondPeak", state.decisionsPerSecondPeak());
        ObjectNode outcomes = into.putObject("outcomes");
        state.outcomes().forEach((status, count) -> outcomes.put(status.name(), count));
    }

    private void waiting(ObjectNode into, WorkloadStatus w) {
        into.put("namespace", w.getNamespace())
                .put("name", w.getName())
                .put("kind", w.getKind())
                .put("queue", w.getQueue())
                .put("pods", w.getPods())
                .put("minMember", w.getMinMember())
                .put("bound", w.getBound())
                .put("waitingMillis", Math.max(0, endMillis - w.getArrivedMillis()))
                .putObject("reason")
                .put("code", w.getReason().getCode())
                .put("message", w.getReason().getMessage());
    }

    private static void latency(ObjectNode into, Latency latency) {
        into.put("count", latency.count())
                .put("p50", latency.p50Millis())
                .put("p99", latency.p99Millis())
                .put("max", latency.maxMillis());
    }

    private static com.fasterxml.jackson.databind.node.ArrayNode strings(List<String> values) {
        var array = JsonNodeFactory.instance.arrayNode();
        new ArrayList<>(values).forEach(array::add);
        return array;
    }

    private static double round(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(Text.pad(label, 12)).append(value).append('\n');
    }
}
