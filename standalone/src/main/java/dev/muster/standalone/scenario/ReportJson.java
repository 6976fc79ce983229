package dev.muster.standalone.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.ConditionsJson;
import dev.muster.standalone.scenario.expect.Result;
import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.NodeView;
import dev.muster.standalone.scenario.observe.PodView;
import dev.muster.standalone.scenario.observe.StatusView;
import dev.muster.standalone.scenario.observe.WorkloadView;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports for programs; docs/formats.md says what the fields mean. */
public final class ReportJson {
    private ReportJson() {}

    public static ObjectNode of(List<Report> reports) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode items = document.putArray("items");
        reports.forEach(report -> items.add(of(report)));
        return document;
    }

    private static ObjectNode of(Report report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Scenario scenario = report.scenario();
        json.put("name", scenario.name())
                .put("file", scenario.file())
                .put("description", scenario.description())
                .put("source", scenario.seenIn())
                .put("good", report.good())
                .put("endedAtMillis", report.endedAtMillis());
        ArrayNode restarts = json.putArray("restartsMillis");
        scenario.restartMillis().forEach(restarts::add);
        ArrayNode expectations = json.putArray("expectations");
        report.results().forEach(result -> expectations.add(of(result)));
        ArrayNode timeline = json.putArray("timeline");
        TimelineEntry.of(report.clusters().happenings()).forEach(entry -> timeline.add(of(entry)));
        ArrayNode workloads = json.putArray("workloads");
        report.clusters().workloads().forEach(each -> workloads.add(of(report.clusters(), each)));
        ArrayNode nodes = json.putArray("nodes");
        report.clusters().nodes().forEach(node -> nodes.add(of(report.clusters(), node)));
        ArrayNode waiting = json.putArray("waiting");
        report.clusters().statuses().stream()
                .filter(status -> !status.code().isEmpty())
                .forEach(status -> waiting.add(of(status)));
        ArrayNode statuses = json.putArray("statuses");
        report.clusters().statuses().forEach(status -> statuses.add(withConditions(status)));
        ArrayNode kept = json.putArray("notUsedYet");
        report.kept().forEach(each -> kept.add(of(each)));
        ArrayNode notes = json.putArray("notes");
        report.notes().forEach(notes::add);
        Report.Proof proof = report.proof();
        json.putObject("replay")
                .put("same", proof.same())
                .put("journalEntries", proof.entries())
                .put("decisions", proof.decisions())
                .put("difference", proof.difference());
        return json;
    }

    private static ObjectNode of(Result result) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("field", result.field())
                .put("when", result.when())
                .put("expected", result.expected())
                .put("held", result.held())
                .put("seenAtMillis", result.seenAtMillis())
                .put("seen", result.seen());
        ArrayNode missing = json.putArray("missing");
        result.missing().forEach(missing::add);
        return json;
    }

    private static ObjectNode of(TimelineEntry entry) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("atMillis", entry.atMillis())
                .put("type", entry.type().name().toLowerCase(Locale.ROOT))
                .put("cluster", entry.cluster());
        ArrayNode subjects = json.putArray("subjects");
        entry.subjects().forEach(subjects::add);
        ArrayNode pods = json.putArray("pods");
        entry.pods().forEach(pods::add);
        ArrayNode details = json.putArray("details");
        entry.details().forEach(details::add);
        return json;
    }

    private static ObjectNode of(Clusters clusters, WorkloadView workload) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("cluster", workload.cluster())
                .put("kind", workload.kind())
                .put("namespace", workload.namespace())
                .put("name", workload.name())
                .put("state", workload.state())
                .put("evictions", ReportText.evictions(clusters, workload));
        ArrayNode reasons = json.putArray("reasons");
        workload.reasons().forEach(reasons::add);
        ArrayNode pods = json.putArray("pods");
        for (PodView pod : ReportText.podsOf(clusters, workload)) {
            pods.addObject()
                    .put("name", pod.name())
                    .put("phase", pod.phase())
                    .put("node", pod.node())
                    .put("terminating", pod.terminating());
        }
        return json;
    }

    private static ObjectNode of(Clusters clusters, NodeView node) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("cluster", node.cluster())
                .put("name", node.name())
                .put("ready", node.ready())
                .put("cordoned", node.cordoned());
        ObjectNode allocatable = json.putObject("allocatable");
        node.allocatable().forEach(allocatable::put);
        ObjectNode used = json.putObject("used");
        for (Map.Entry<String, Long> each : clusters.nodeUsageMilli(node).entrySet()) {
            used.put(
                    each.getKey(),
                    BigDecimal.valueOf(each.getValue(), 3).stripTrailingZeros().toPlainString());
        }
        return json;
    }

    private static ObjectNode of(StatusView status) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        return json.put("cluster", status.cluster())
                .put("kind", status.kind())
                .put("namespace", status.namespace())
                .put("name", status.name())
                .put("code", status.code())
                .put("message", status.message());
    }

    private static ObjectNode withConditions(StatusView status) {
        ObjectNode json = of(status).put("state", status.state()).put("phase", status.phase());
        ConditionsJson.put(json, status.conditions().stream());
        return json;
    }

    private static ObjectNode of(Report.Kept kept) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", kept.apiVersion()).put("kind", kept.kind()).put("what", kept.what());
        ArrayNode names = json.putArray("names");
        kept.names().forEach(names::add);
        return json;
    }
}
