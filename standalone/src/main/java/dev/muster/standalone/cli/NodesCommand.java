package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.event.DeviceLink;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.standalone.cli.NodeTable.Node;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster nodes}. */
@Command(
        name = "nodes",
        abbreviateSynopsis = true,
        header = "List nodes: what they have, and what pods hold of it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster nodes --data-dir ./muster-data",
            "  muster nodes --data-dir ./muster-data -l topology.kubernetes.io/zone=zone-a --sort-by .gpus.used",
            "  muster nodes --bootstrap-servers kafka:9092 --schema-registry http://registry:8081 -o wide -w"
        })
final class NodesCommand implements Callable<Integer> {
    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output;

    @Mixin
    HelpOption help;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Only nodes with these labels: KEY=VALUE, KEY!=VALUE, KEY or !KEY, joined by commas.")
    String selector;

    @Option(
            names = {"-w", "--watch"},
            description = "Then print a line for each node that changes, or what pods hold of it, until Ctrl-C.")
    boolean watch;

    private final Environment environment;

    NodesCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        LabelFilter filter = LabelFilter.parse(selector == null ? "" : selector);
        Predicate<Node> wanted = node -> filter.matches(node.labels());
        try (TopicSession session = TopicSession.open(connection, environment)) {
            NodeTable table = new NodeTable();
            Watcher<Node> watcher = new Watcher<>(listing(), environment, output, wanted);
            session.reader()
                    .topic(
                            session.topics().nodes(),
                            NodeEvent.class,
                            (key, event) -> table.take(event).forEach(node -> watcher.changed(() -> table.node(node))))
                    .topic(
                            session.topics().gpuHealth(),
                            HealthEvent.class,
                            (key, event) ->
                                    table.health.take(event).forEach(node -> watcher.changed(() -> table.node(node))))
                    .topic(
                            session.topics().pods(),
                            PodEvent.class,
                            (key, event) -> table.take(event).forEach(node -> watcher.changed(() -> table.node(node))));
            session.readToEnd();
            listing()
                    .print(
                            environment,
                            output,
                            table.nodes().stream().filter(wanted).toList());
            if (watch) {
                watcher.follow(session);
            }
            return ExitCode.DONE;
        }
    }

    private static Listing<Node> listing() {
        return new Listing<Node>("nodes", Node::name, NodesCommand::toJson)
                .column("NAME", Node::name)
                .column("CLUSTER", Node::cluster)
                .column("STATUS", Node::status)
                .column("MODEL", Node::model)
                .column("GPUS", n -> String.valueOf(n.gpus()))
                .column("USED", n -> Amounts.thousandths(n.usedGpuMilli()).toPlainString())
                .column("PODS", n -> String.valueOf(n.pods()))
                .column("HEALTH", n -> HealthTable.summary(n.health()))
                .wideColumn("ISLANDS", NodesCommand::islands)
                .wideColumn("CPU", n -> Amounts.thousandths(n.cpuMillis()).toPlainString())
                .wideColumn(
                        "CPU-USED", n -> Amounts.thousandths(n.usedCpuMillis()).toPlainString())
                .wideColumn("MEMORY", n -> (n.memoryBytes() >> 30) + "Gi")
                .wideColumn("MEMORY-USED", n -> (n.usedMemoryBytes() >> 30) + "Gi")
                .wideColumn("TAINTS", n -> String.join(",", n.taints()));
    }

    private static ObjectNode toJson(Node node) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", node.name())
                .put("cluster", node.cluster())
                .put("ready", node.ready())
                .put("schedulable", !node.cordoned())
                .put("model", node.model())
                .put("pods", node.pods());
        json.putObject("gpus").put("total", node.gpus()).put("used", Amounts.thousandths(node.usedGpuMilli()));
        json.putObject("cpuMillis").put("total", node.cpuMillis()).put("used", node.usedCpuMillis());
        json.putObject("memoryBytes").put("total", node.memoryBytes()).put("used", node.usedMemoryBytes());
        var groups = json.putArray("deviceGroups");
        node.deviceGroups().forEach(group -> {
            var devices = groups.addObject()
                    .put("link", group.getLink().name().toLowerCase(Locale.ROOT))
                    .putArray("devices");
            group.getDevices().forEach(devices::add);
        });
        var health = json.putArray("health");
        node.health()
                .forEach(signal -> health.addObject()
                        .put("scope", signal.getScope().name().toLowerCase(Locale.ROOT))
                        .put("device", signal.getDevice())
                        .put("peer", signal.getPeer())
                        .put("kind", signal.getKind())
                        .put("severity", signal.getSeverity().name().toLowerCase(Locale.ROOT))
                        .put("value", signal.getValue())
                        .put("source", signal.getSource())
                        .put("ttlMillis", signal.getTtlMillis()));
        ObjectNode labels = json.putObject("labels");
        node.labels().forEach(labels::put);
        var taints = json.putArray("taints");
        node.taints().forEach(taints::add);
        return json;
    }

    /** NVLink islands by size, such as 4+4. */
    private static String islands(Node node) {
        return node.deviceGroups().stream()
                .filter(group -> group.getLink() == DeviceLink.NVLINK)
                .map(group -> String.valueOf(group.getDevices().size()))
                .collect(Collectors.joining("+"));
    }
}
