package dev.muster.standalone.scenario;

import dev.muster.standalone.cli.Listing;
import dev.muster.standalone.scenario.expect.Result;
import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.Happening.Type;
import dev.muster.standalone.scenario.observe.PodView;
import dev.muster.standalone.scenario.observe.StatusView;
import dev.muster.standalone.scenario.observe.WorkloadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A report for people. */
public final class ReportText {
    private static final int SHOWN = 8;

    private final Report report;
    private final boolean severalClusters;

    private ReportText(Report report) {
        this.report = report;
        this.severalClusters = report.scenario().clusters().size() > 1;
    }

    /** One line per expectation, then one in all. */
    public static String ofCheck(Report report) {
        ReportText text = new ReportText(report);
        return text.expectations() + text.footer();
    }

    /** What happened, then how it ended. */
    public static String ofRun(Report report) {
        ReportText text = new ReportText(report);
        return text.header() + "\n" + text.timeline() + "\n" + text.workloads() + text.waiting() + text.footer();
    }

    private String header() {
        Scenario scenario = report.scenario();
        StringBuilder text = new StringBuilder(scenario.name());
        if (!scenario.file().equals(scenario.name())) {
            text.append(" (").append(scenario.file()).append(')');
        }
        if (!scenario.description().isBlank()) {
            text.append(": ").append(scenario.description().strip().replaceAll("\\s+", " "));
        }
        return text.append('\n').toString();
    }

    private String timeline() {
        List<List<String>> rows = new ArrayList<>();
        for (TimelineEntry entry : TimelineEntry.of(report.clusters().happenings())) {
            List<String> row = new ArrayList<>();
            row.add(SimulatedTime.text(entry.atMillis()));
            if (severalClusters) {
                row.add(entry.cluster().isEmpty() ? "-" : entry.cluster());
            }
            boolean byUser = entry.type() == Type.APPLIED || entry.type() == Type.DELETED;
            row.add(byUser ? "kubectl" : listed(entry.subjects()));
            row.add(byUser ? entry.details().getFirst() + " " + listed(entry.subjects()) : sentence(entry));
            rows.add(row);
        }
        return Listing.align(rows);
    }

    private static String sentence(TimelineEntry entry) {
        return switch (entry.type()) {
            case PLACED -> pods(entry) + " placed: " + nodes(entry);
            case SUCCEEDED -> pods(entry) + " succeeded: " + listed(entry.pods());
            case FAILED -> pods(entry) + " failed: " + withDetails(entry);
            case EVICTED -> pods(entry) + " evicted: " + withDetails(entry);
            case STOPPING -> pods(entry) + " stopping: " + listed(entry.pods());
            case GONE -> pods(entry) + " gone: " + listed(entry.pods());
            case WAITS -> "waits, " + entry.details().getFirst();
            case REFUSED -> "binding refused: " + withDetails(entry);
            case APPLIED, DELETED, RESTART, STATE, NODE, PREEMPTS ->
                entry.details().getFirst();
        };
    }

    private static String pods(TimelineEntry entry) {
        int count = entry.pods().size();
        return count + (count == 1 ? " pod" : " pods");
    }

    private static String listed(List<String> names) {
        String shown = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return names.size() > SHOWN ? shown + " and " + (names.size() - SHOWN) + " more" : shown;
    }

    /** Pod by pod while they are few, then how many per node. */
    private static String nodes(TimelineEntry entry) {
        Map<String, List<String>> byNode = new LinkedHashMap<>();
        for (int i = 0; i < entry.pods().size(); i++) {
            byNode.computeIfAbsent(entry.details().get(i), unused -> new ArrayList<>())
                    .add(entry.pods().get(i));
        }
        boolean few = entry.pods().size() <= SHOWN;
        return listed(byNode.entrySet().stream()
                .map(each -> (few
                                ? String.join(", ", each.getValue())
                                : String.valueOf(each.getValue().size())) + " on " + each.getKey())
                .toList());
    }

    private static String withDetails(TimelineEntry entry) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < entry.pods().size(); i++) {
            String detail = entry.details().get(i);
            names.add(entry.pods().get(i) + (detail.isEmpty() ? "" : " (" + detail + ")"));
        }
        return listed(names);
    }

    private String workloads() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("WORKLOAD", "KIND", "STATE", "BOUND", "NODES", "EVICTED"));
        Clusters clusters = report.clusters();
        for (WorkloadView workload : clusters.workloads()) {
            List<PodView> pods = podsOf(clusters, workload);
            String path = workload.namespace() + "/" + workload.name();
            long bound = pods.stream().filter(PodView::bound).count();
            List<String> nodes = pods.stream()
                    .filter(PodView::bound)
                    .map(PodView::node)
                    .distinct()
                    .toList();
            rows.add(List.of(
                    severalClusters ? workload.cluster() + ": " + path : path,
                    workload.kind(),
                    workload.state(),
                    bound + "/" + pods.size(),
                    nodes.isEmpty() ? "-" : listed(nodes),
                    String.valueOf(evictions(clusters, workload))));
        }
        return rows.size() == 1 ? "" : Listing.align(rows);
    }

    static List<PodView> podsOf(Clusters clusters, WorkloadView workload) {
        String path = workload.namespace() + "/" + workload.name();
        return clusters.pods().stream()
                .filter(pod -> pod.cluster().equals(workload.cluster())
                        && (pod.belongsTo().equals(path)
                                || workload.kind().equals("Pod") && pod.path().equals(path)))
                .toList();
    }

    static long evictions(Clusters clusters, WorkloadView workload) {
        String path = workload.namespace() + "/" + workload.name();
        return clusters.evictions().stream()
                .filter(each -> each.cluster().equals(workload.cluster())
                        && (each.belongsTo().equals(path) || each.path().equals(path)))
                .count();
    }

    private String waiting() {
        Map<String, String> sentences = new TreeMap<>();
        for (StatusView status : report.clusters().statuses()) {
            if (!status.code().isEmpty()) {
                sentences.put(status.namespace() + "/" + status.name(), status.code() + ": " + status.message());
            }
        }
        StringBuilder text = new StringBuilder();
        sentences.forEach((name, sentence) -> text.append(text.isEmpty() ? "\nwaiting\n" : "")
                .append("  ")
                .append(name)
                .append("  ")
                .append(sentence)
                .append('\n'));
        return text.toString();
    }

    private String expectations() {
        StringBuilder text = new StringBuilder();
        for (Result result : report.results()) {
            text.append(result.held() ? "held    " : "BROKEN  ")
                    .append(report.scenario().file())
                    .append(": ")
                    .append(result.field())
                    .append(' ')
                    .append(result.when())
                    .append(": ")
                    .append(result.expected());
            if (!result.held()) {
                text.append("; ");
                if (result.seenAtMillis() >= 0) {
                    text.append("at ")
                            .append(SimulatedTime.text(result.seenAtMillis()))
                            .append(": ");
                }
                text.append(result.seen());
            }
            result.missing()
                    .forEach(missing -> text.append(" (note: ").append(missing).append(')'));
            text.append('\n');
        }
        return text.toString();
    }

    private String footer() {
        StringBuilder text = new StringBuilder();
        for (Report.Kept kept : report.kept()) {
            text.append("not used yet: ")
                    .append(kept.names().size())
                    .append(' ')
                    .append(kept.kind())
                    .append(" (")
                    .append(kept.what())
                    .append("): ")
                    .append(listed(kept.names()))
                    .append('\n');
        }
        report.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        Report.Proof proof = report.proof();
        text.append(report.scenario().file()).append(": ");
        if (!report.results().isEmpty()) {
            text.append(report.results().size() - report.broken())
                    .append(" of ")
                    .append(report.results().size())
                    .append(" expectations held; ");
        }
        text.append("ended at ")
                .append(SimulatedTime.text(report.endedAtMillis()))
                .append("; ");
        if (proof.same()) {
            text.append("replay of ")
                    .append(proof.entries())
                    .append(" journal entries gives the same ")
                    .append(proof.decisions())
                    .append(" decisions");
        } else {
            text.append("REPLAY DIFFERS: ").append(proof.difference());
        }
        return text.append('\n').toString();
    }
}
