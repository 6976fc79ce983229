package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.decision.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The forms of {@link TopView.Moment}: text, a terminal that is drawn over, JSON. */
final class TopScreen {
    // Alternate screen as less and vim use it: what was on the terminal comes back afterwards.
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_REST = "\u001b[J";

    private final Environment environment;
    private final int limit;
    private boolean entered;

    TopScreen(Environment environment, int limit) {
        this.environment = environment;
        this.limit = limit;
    }

    void draw(TopView.Moment now) {
        StringBuilder frame = new StringBuilder(entered ? "" : ENTER).append(HOME);
        entered = true;
        text(now)
                .lines()
                .forEach(line -> frame.append(clip(line)).append(CLEAR_LINE).append('\n'));
        environment.out().print(frame.append(CLEAR_REST));
        environment.out().flush();
    }

    /** Gives the terminal back. */
    void leave() {
        if (entered) {
            environment.out().print(LEAVE);
            environment.out().flush();
        }
    }

    String text(TopView.Moment now) {
        return text(now, message -> message);
    }

    private String text(TopView.Moment now, UnaryOperator<String> shortened) {
        String time = Instant.ofEpochMilli(now.timeMillis())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("time", time));
        facts.add(List.of(
                "decisions",
                now.decisionsPerSecondTenths() / 10 + "." + now.decisionsPerSecondTenths() % 10 + "/s ("
                        + now.decisions() + " in " + Ages.of(Duration.ofSeconds(now.windowSeconds())) + ")"));
        facts.add(List.of(
                "workloads",
                now.running() + " running, " + now.waiting() + " waiting"
                        + (now.incomplete() == 0 ? "" : ", " + now.incomplete() + " of them incomplete")));
        facts.add(List.of("to placed", times(now.toPlacement())));
        facts.add(List.of("to bound", times(now.toBound())));
        StringBuilder text = new StringBuilder(Listing.align(facts)).append('\n');
        text.append(Listing.align(clusters(now)));
        if (now.longestWaiting().isEmpty()) {
            return text.append("\nNothing waits.\n").toString();
        }
        text.append('\n').append(Listing.align(waiting(now, shortened)));
        int more = now.waiting() - limit;
        return more > 0 ? text.append("and ").append(more).append(" more\n").toString() : text.toString();
    }

    ObjectNode json(TopView.Moment now) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("timeMillis", now.timeMillis()).put("windowSeconds", now.windowSeconds());
        json.putObject("decisions")
                .put("count", now.decisions())
                .put("perSecond", now.decisionsPerSecondTenths() / 10.0);
        json.putObject("workloads")
                .put("running", now.running())
                .put("waiting", now.waiting())
                .put("incomplete", now.incomplete());
        ObjectNode latency = json.putObject("latency");
        latency.set("arrivalToPlacement", json(now.toPlacement()));
        latency.set("placementToBound", json(now.toBound()));
        var clusters = json.putArray("clusters");
        now.clusters()
                .forEach(c -> clusters.addObject()
                        .put("name", c.cluster())
                        .put("nodes", c.nodes())
                        .put("ready", c.ready())
                        .put("pods", c.pods())
                        .putObject("gpus")
                        .put("total", c.gpus())
                        .put("used", Amounts.thousandths(c.usedGpuMilli())));
        var waiting = json.putArray("longestWaiting");
        now.longestWaiting().stream().limit(limit).forEach(w -> waiting.add(JobsCommand.toJson(w, now.timeMillis())));
        return json;
    }

    private static List<List<String>> clusters(TopView.Moment now) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("CLUSTER", "NODES", "READY", "GPUS", "USED", "USED%", "PODS"));
        for (TopView.ClusterUse c : now.clusters()) {
            String share = Amounts.percent(c.usedGpuMilli(), 1000 * c.gpus());
            rows.add(List.of(
                    Listing.cell(c.cluster()),
                    String.valueOf(c.nodes()),
                    String.valueOf(c.ready()),
                    String.valueOf(c.gpus()),
                    Amounts.thousandths(c.usedGpuMilli()).toPlainString(),
                    Listing.cell(share),
                    String.valueOf(c.pods())));
        }
        return rows;
    }

    private List<List<String>> waiting(TopView.Moment now, UnaryOperator<String> shortened) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAMESPACE", "NAME", "QUEUE", "PODS", "WAITING", "REASON", "MESSAGE"));
        for (WorkloadStatus w : now.longestWaiting().stream().limit(limit).toList()) {
            rows.add(List.of(
                    Listing.cell(w.getNamespace()),
                    Listing.cell(Statuses.name(w)),
                    Listing.cell(w.getQueue()),
                    String.valueOf(w.getPods()),
                    Ages.of(Duration.ofMillis(now.timeMillis() - w.getArrivedMillis())),
                    Listing.cell(w.getReason().getCode()),
                    Listing.cell(shortened.apply(w.getReason().getMessage()))));
        }
        return rows;
    }

    /** What follows the first semicolon, which says what is asked: on one line the answer matters more. */
    private static String why(String message) {
        return message.substring(message.indexOf("; ") < 0 ? 0 : message.indexOf("; ") + 2);
    }

    private static String times(Optional<TopView.Times> times) {
        return times.map(t -> "p50 " + t.p50Millis() + " ms, p99 " + t.p99Millis() + " ms (" + t.count() + ")")
                .orElse("-");
    }

    private static ObjectNode json(Optional<TopView.Times> times) {
        return times.map(t -> JsonNodeFactory.instance
                        .objectNode()
                        .put("count", t.count())
                        .put("p50Millis", t.p50Millis())
                        .put("p99Millis", t.p99Millis()))
                .orElse(null);
    }

    private String clip(String line) {
        int width = Math.max(20, environment.columns());
        return line.length() < width ? line : line.substring(0, width - 2) + "~";
    }
}
