package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.status.KueueConditions;
import dev.muster.schemas.status.VolcanoStatus;
import dev.muster.standalone.ConditionsJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster jobs}. */
@Command(
        name = "jobs",
        abbreviateSynopsis = true,
        header = "List workloads: jobs, pod groups and lone pods, and where they are.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster jobs --data-dir ./muster-data",
            "  muster jobs --data-dir ./muster-data --state waiting -o json",
            "  muster jobs --bootstrap-servers kafka:9092 --schema-registry http://registry:8081 -n research -w",
            "  muster jobs -l 'queue=research,state!=completed,kind' --sort-by .gpus",
            "",
            "-l selects by fields of the workload, as kubectl's --field-selector does: the labels of the objects",
            "themselves are not on the topics."
        })
final class JobsCommand implements Callable<Integer> {
    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output;

    @Mixin
    HelpOption help;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only this namespace; default: all.")
    String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "All namespaces, which is the default.")
    boolean allNamespaces;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only this queue.")
    String queue;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "Only in this state: incomplete, waiting, suspended, placed, running, completed, failed or cancelled.")
    String state;

    @Option(
            names = {"-l", "--selector", "--field-selector"},
            paramLabel = "SELECTOR",
            description =
                    "Only workloads with these fields: namespace, name, kind, cluster, queue, state, reason, tenant;"
                            + " KEY=VALUE, KEY!=VALUE, KEY or !KEY, joined by commas.")
    String selector;

    @Option(
            names = {"-w", "--watch"},
            description = "Then print a line for each change, until Ctrl-C.")
    boolean watch;

    private static final Set<String> FIELDS =
            new TreeSet<>(Set.of("namespace", "name", "kind", "cluster", "queue", "state", "reason", "tenant"));

    private final Environment environment;

    JobsCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (state != null
                && Arrays.stream(WorkloadState.values()).noneMatch(s -> s.name().equalsIgnoreCase(state))) {
            throw CommandException.unusableInput("--state " + state + ": expected one of "
                    + Arrays.stream(WorkloadState.values())
                            .map(s -> s.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", ")));
        }
        LabelFilter filter = LabelFilter.parse(selector == null ? "" : selector);
        filter.requireKeys(FIELDS);
        Predicate<WorkloadStatus> wanted = status -> wanted(status) && filter.matches(fields(status));
        try (TopicSession session = TopicSession.open(connection, environment)) {
            Statuses statuses = new Statuses();
            Watcher<WorkloadStatus> watcher = new Watcher<>(listing(), environment, output, wanted);
            session.reader().topic(session.topics().workloadStatus(), WorkloadStatus.class, (key, status) -> {
                statuses.take(key, status);
                watcher.changed(() -> Optional.ofNullable(status));
            });
            session.readToEnd();
            listing()
                    .print(
                            environment,
                            output,
                            statuses.all().stream().filter(wanted).toList());
            if (watch) {
                watcher.follow(session);
            }
            return ExitCode.DONE;
        }
    }

    private boolean wanted(WorkloadStatus status) {
        return (namespace == null || allNamespaces || status.getNamespace().equals(namespace))
                && (queue == null || status.getQueue().equals(queue))
                && (state == null || status.getState().name().equalsIgnoreCase(state));
    }

    private static Map<String, String> fields(WorkloadStatus w) {
        Map<String, String> fields = new TreeMap<>(Map.of(
                "namespace", w.getNamespace(),
                "name", Statuses.name(w),
                "kind", w.getKind(),
                "cluster", w.getCluster(),
                "queue", w.getQueue(),
                "state", w.getState().name().toLowerCase(Locale.ROOT),
                "reason", w.getReason().getCode(),
                "tenant", w.getTenant()));
        fields.values().removeIf(String::isEmpty);
        return fields;
    }

    private static Listing<WorkloadStatus> listing() {
        long nowMillis = System.currentTimeMillis();
        return new Listing<WorkloadStatus>(
                        "jobs", w -> w.getNamespace() + "/" + Statuses.name(w), w -> toJson(w, nowMillis))
                .column("NAMESPACE", WorkloadStatus::getNamespace)
                .column("NAME", Statuses::name)
                .column("KIND", WorkloadStatus::getKind)
                .column("QUEUE", WorkloadStatus::getQueue)
                .column("BOUND", Statuses::bound)
                .column("STATE", Statuses::state)
                .column("AGE", w -> Ages.of(Duration.ofMillis(nowMillis - w.getArrivedMillis())))
                .column("REASON", w -> w.getReason().getCode())
                .wideColumn("MIN", w -> String.valueOf(w.getMinMember()))
                .wideColumn("PRIORITY", w -> String.valueOf(w.getPriority()))
                .wideColumn("GPUS", w -> gpus(w).toPlainString())
                .wideColumn("CLUSTER", WorkloadStatus::getCluster)
                .wideColumn("DECISION", WorkloadStatus::getDecisionId)
                .wideColumn("MESSAGE", w -> w.getReason().getMessage());
    }

    static ObjectNode toJson(WorkloadStatus w, long nowMillis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("namespace", w.getNamespace())
                .put("name", Statuses.name(w))
                .put("kind", w.getKind())
                .put("object", w.getObject())
                .put("cluster", w.getCluster())
                .put("queue", w.getQueue())
                .put("priority", w.getPriority())
                .put("state", w.getState().name().toLowerCase(Locale.ROOT))
                .put("minMember", w.getMinMember())
                .put("pods", w.getPods())
                .put("bound", w.getBound())
                .put("gpus", gpus(w))
                .put("ageSeconds", (nowMillis - w.getArrivedMillis()) / 1000)
                .put("arrivedMillis", w.getArrivedMillis())
                .put("sinceMillis", w.getSinceMillis())
                .put("attempt", w.getAttempt())
                .put("decision", w.getDecisionId())
                .put("workload", w.getWorkload());
        ObjectNode reason = json.putObject("reason");
        reason.put("code", w.getReason().getCode()).put("message", w.getReason().getMessage());
        var details = reason.putArray("details");
        w.getReason()
                .getDetails()
                .forEach(d -> details.addObject()
                        .put("rule", d.getRule())
                        .put("nodes", d.getNodes())
                        .put("subject", d.getSubject())
                        .put("asked", d.getAsked())
                        .put("largestFree", d.getLargestFree()));
        json.put("phase", VolcanoStatus.phase(w).orElse(null));
        ConditionsJson.put(json, Stream.concat(VolcanoStatus.conditions(w).stream(), KueueConditions.of(w).stream()));
        return json;
    }

    private static BigDecimal gpus(WorkloadStatus w) {
        return Amounts.thousandths(w.getGpuMilli());
    }
}
