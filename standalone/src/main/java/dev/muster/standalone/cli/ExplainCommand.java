package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.ReasonDetail;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.standalone.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code muster explain}. */
@Command(
        name = "explain",
        abbreviateSynopsis = true,
        header = "Say why a workload is where it is: one sentence, then the evidence.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster explain research/train-too-large --data-dir ./muster-data",
            "  muster explain train-too-large --data-dir ./muster-data -o json",
            "  muster explain train --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int SUGGESTIONS = 3;
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);

    @Parameters(paramLabel = "[NAMESPACE/]NAME", description = "A job, pod group or lone pod; or a workload id.")
    String name;

    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table (text), json or yaml; default: table.")
    OutputFormat format = OutputFormat.table;

    @Mixin
    HelpOption help;

    private final Environment environment;

    ExplainCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.wide || format == OutputFormat.name) {
            throw CommandException.unusableInput("-o " + format + ": explain answers as table, json or yaml");
        }
        try (TopicSession session = TopicSession.open(connection, environment)) {
            Statuses statuses = new Statuses();
            session.reader().topic(session.topics().workloadStatus(), WorkloadStatus.class, statuses::take);
            session.readToEnd();
            WorkloadStatus status = theOne(statuses);
            List<Decision> history = new ArrayList<>();
            // Decisions are kept for a year: those before its arrival say nothing about it.
            session.readAnew()
                    .topicSince(
                            session.topics().decisions(),
                            Decision.class,
                            status.getArrivedMillis() - CLOCKS_DIFFER.toMillis(),
                            (key, decision) -> {
                                if (decision != null && Evictions.concerns(status.getWorkload(), decision)) {
                                    history.add(decision);
                                }
                            });
            session.readToEnd();
            print(status, history);
            return ExitCode.DONE;
        }
    }

    private WorkloadStatus theOne(Statuses statuses) {
        List<WorkloadStatus> found = statuses.named(name);
        if (found.isEmpty()) {
            String bare = name.substring(name.indexOf('/') + 1);
            List<String> similar = statuses.all().stream()
                    .filter(w -> w.getName().contains(bare) || bare.contains(w.getName()))
                    .limit(SUGGESTIONS)
                    .map(w -> w.getNamespace() + "/" + Statuses.name(w))
                    .toList();
            throw CommandException.no("no workload is named " + name
                    + (similar.isEmpty() ? "; muster jobs lists them" : "; there is " + String.join(", ", similar)));
        }
        if (found.size() > 1) {
            throw CommandException.unusableInput(name + " names " + found.size() + " workloads, expected one of "
                    + String.join(
                            ", ",
                            found.stream().map(WorkloadStatus::getWorkload).toList()));
        }
        return found.get(0);
    }

    private void print(WorkloadStatus status, List<Decision> history) {
        if (format == OutputFormat.json || format == OutputFormat.yaml) {
            ObjectNode json = JobsCommand.toJson(status, System.currentTimeMillis());
            json.put("help", Remedies.of(status.getReason().getCode()).orElse(""));
            var decisions = json.putArray("decisions");
            history.forEach(d -> decisions
                    .addObject()
                    .put("id", d.getId())
                    .put("timeMillis", d.getTimeMillis())
                    .put("attempt", d.getAttempt())
                    .put("action", action(d)));
            environment.out().print(Listing.document(format, json));
        } else {
            environment.out().print(text(status, history));
        }
    }

    private static String text(WorkloadStatus status, List<Decision> history) {
        String since = Ages.of(Duration.ofMillis(System.currentTimeMillis() - status.getSinceMillis()));
        StringBuilder text = new StringBuilder();
        text.append(status.getNamespace()).append('/').append(Statuses.name(status));
        String state = Statuses.state(status).toLowerCase(Locale.ROOT);
        text.append(
                switch (status.getState()) {
                    case COMPLETED -> " completed " + since + " ago";
                    case FAILED -> " failed " + since + " ago";
                    case CANCELLED -> " was cancelled " + since + " ago";
                    default -> " has been " + state + " for " + since;
                });
        if (!status.getReason().getCode().isEmpty()) {
            text.append(" (")
                    .append(status.getReason().getCode())
                    .append("): ")
                    .append(status.getReason().getMessage());
            Remedies.of(status.getReason().getCode())
                    .ifPresent(help -> text.append("; what would help: ").append(help));
        }
        text.append("\n\n");
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("Workload", status.getWorkload()));
        facts.add(List.of("Queue", status.getQueue() + ", priority " + status.getPriority()));
        facts.add(List.of(
                "Pods",
                pods(status) + ", " + status.getMinMember()
                        + (status.getMinMember() == 1 ? " must run" : " must run together")));
        facts.add(List.of(
                "Arrived", Instant.ofEpochMilli(status.getArrivedMillis()).toString()));
        text.append(Listing.align(facts));
        if (!status.getReason().getDetails().isEmpty()) {
            text.append("\nNodes ruled out:\n")
                    .append(evidence(status.getReason().getDetails()));
        }
        if (!history.isEmpty()) {
            text.append("\nDecisions:\n");
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("TIME", "DECISION", "ATTEMPT", "ACTION"));
            history.forEach(d -> rows.add(List.of(
                    Instant.ofEpochMilli(d.getTimeMillis()).toString(),
                    d.getId(),
                    String.valueOf(d.getAttempt()),
                    action(d))));
            text.append(Listing.align(rows));
        }
        return text.toString();
    }

    private static String pods(WorkloadStatus status) {
        return switch (status.getState()) {
            case INCOMPLETE, WAITING, PLACED, RUNNING, SUSPENDED ->
                status.getBound() + " of " + status.getPods() + " bound";
            case COMPLETED, FAILED, CANCELLED -> Counts.of(status.getPods(), "pod");
        };
    }

    private static String evidence(List<ReasonDetail> details) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RULE", "NODES", "SUBJECT", "ASKED", "LARGEST FREE"));
        details.forEach(d -> rows.add(List.of(
                d.getRule(),
                String.valueOf(d.getNodes()),
                d.getSubject().isEmpty() ? "-" : d.getSubject(),
                d.getAsked() == 0 ? "-" : String.valueOf(d.getAsked()),
                d.getAsked() == 0 ? "-" : String.valueOf(d.getLargestFree()))));
        return Listing.align(rows);
    }

    private static String action(Decision decision) {
        return switch (decision.getAction()) {
            case PlaceGang place -> {
                int pods = place.getNodes().stream()
                        .mapToInt(n -> n.getMembers().size())
                        .sum();
                yield "place " + Counts.of(pods, "pod") + " on "
                        + Counts.of(place.getNodes().size(), "node") + " of " + place.getCluster();
            }
            case Revoke revoke -> "take back " + revoke.getRevokedDecisionId() + " (" + revoke.getReason() + ")";
            case DeletePods delete ->
                "delete " + Counts.of(delete.getMembers().size(), "pod") + " (" + delete.getReason() + ")";
            case Evict evict -> Evictions.sentence(decision.getWorkload(), evict);
            default -> decision.getAction().getClass().getSimpleName();
        };
    }
}
