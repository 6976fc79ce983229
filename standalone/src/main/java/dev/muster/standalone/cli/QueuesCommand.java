package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.standalone.cli.QueueTable.Kind;
import dev.muster.standalone.cli.QueueTable.Queue;
import dev.muster.standalone.cli.QueueTable.Quota;
import dev.muster.standalone.cli.QueueTable.Title;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code muster queues}. */
@Command(
        name = "queues",
        abbreviateSynopsis = true,
        header = "List queues and cohorts: what waits in them, what runs, and their quota of GPUs.",
        description =
                "A queue is listed when it has an object (a ClusterQueue, a Volcano Queue) or a workload that names it;"
                        + " without an object its state is Undefined. NOMINAL is what it owns (of a cohort, all that"
                        + " is owned below it; of a Volcano Queue, its guarantee), BORROWED what it uses beyond that,"
                        + " LENT what it owns and cannot have since others use it. NEXT is when the first that waits"
                        + " may start, by how many of the queue ended within the last hour, and by deadlines;"
                        + " empty where nobody can tell. -o json has every flavor and resource, and for each that waits its position and when"
                        + " it may start.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster queues --data-dir ./muster-data",
            "  muster queues --data-dir ./muster-data -o json",
            "  muster queues --bootstrap-servers kafka:9092 --schema-registry http://registry:8081 -o wide"
        })
final class QueuesCommand implements Callable<Integer> {
    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    QueuesCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        try (TopicSession session = TopicSession.open(connection, environment)) {
            Statuses statuses = new Statuses();
            QueueObjects objects = new QueueObjects();
            NodeTotals nodes = new NodeTotals();
            session.reader()
                    .topic(session.topics().workloadStatus(), WorkloadStatus.class, statuses::take)
                    .topic(session.topics().nodes(), NodeEvent.class, nodes::take)
                    .topic(session.topics().policies(), PolicyEvent.class, objects::take);
            session.readToEnd();
            QueueTable table = new QueueTable(objects.trees(), statuses.all(), nodes.total(), objects.sharing());
            listing(System.currentTimeMillis()).print(environment, output, table.queues());
            return ExitCode.DONE;
        }
    }

    private static Listing<Queue> listing(long nowMillis) {
        return new Listing<Queue>("queues", QueuesCommand::name, q -> toJson(q, nowMillis))
                .column("NAME", QueuesCommand::name)
                .column("KIND", q -> q.title().kind().label())
                .column("PARENT", q -> q.title().parent())
                .column("STATE", q -> q.title().state())
                .column("WAITING", q -> String.valueOf(q.waiting().size()))
                .column("RUNNING", q -> String.valueOf(q.running()))
                .column("GPUS", QueuesCommand::used)
                .column("NOMINAL", q -> gpus(q, Quota::nominal))
                .column("BORROWED", q -> gpus(q, Quota::borrowed))
                .column("LENT", q -> gpus(q, Quota::lent))
                .column(
                        "CAPABILITY",
                        q -> q.gpuCapability().map(String::valueOf).orElse(""))
                .column("OLDEST", q -> oldest(q, nowMillis))
                .wideColumn("NEXT", q -> next(q, nowMillis))
                .wideColumn("DESERVED", QueuesCommand::deserved)
                .wideColumn("AVAILABLE", QueuesCommand::available)
                .wideColumn(
                        "SHARE",
                        q -> q.shareMilli()
                                .map(share -> Amounts.thousandths(share).toPlainString())
                                .orElse(""))
                .wideColumn(
                        "WEIGHT",
                        q -> Amounts.thousandths(q.title().weightMilli()).toPlainString())
                .wideColumn("PODS-WAITING", q -> String.valueOf(q.podsWaiting()))
                .wideColumn("PODS-BOUND", q -> String.valueOf(q.podsBound()))
                .wideColumn("ENDED", q -> String.valueOf(q.ended()));
    }

    private static String name(Queue queue) {
        return queue.title().name();
    }

    /** What it uses, also where no quota is about GPUs. */
    private static String used(Queue queue) {
        return queue.title().kind() == Kind.COHORT
                ? gpus(queue, Quota::used)
                : Amounts.thousandths(queue.gpuMilli()).toPlainString();
    }

    private static String gpus(Queue queue, ToLongFunction<Quota> figure) {
        return queue.gpus(figure)
                .map(milli -> Amounts.thousandths(milli).toPlainString())
                .orElse("");
    }

    private static String deserved(Queue queue) {
        return queue.gpus(quota -> quota.deserved().orElse(-1L))
                .filter(milli -> milli >= 0)
                .map(milli -> Amounts.thousandths(milli).toPlainString())
                .orElse("");
    }

    private static String available(Queue queue) {
        boolean bounded = queue.quotas().stream()
                .filter(quota -> quota.column().resource().equals(QueueTable.GPU))
                .allMatch(Quota::bounded);
        return bounded ? gpus(queue, Quota::available) : "";
    }

    private static String oldest(Queue queue, long nowMillis) {
        return queue.waiting().isEmpty() ? "" : Ages.of(Duration.ofMillis(nowMillis - queue.longestWaitMillis()));
    }

    private static String next(Queue queue, long nowMillis) {
        List<WorkloadStatus> waiting = queue.waiting();
        return waiting.isEmpty()
                ? ""
                : new StartEstimate(queue.workloads(), nowMillis)
                        .startMillis(waiting.getFirst(), 1)
                        .map(millis -> Ages.of(Duration.ofMillis(millis - nowMillis)))
                        .orElse("");
    }

    private static ObjectNode toJson(Queue queue, long nowMillis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Title title = queue.title();
        List<WorkloadStatus> waiting = queue.waiting();
        json.put("name", title.name())
                .put(
                        "kind",
                        title.kind() == Kind.UNDEFINED ? null : title.kind().label())
                .put("state", title.state())
                .put("parent", title.parent().isEmpty() ? null : title.parent())
                .put("weight", Amounts.thousandths(title.weightMilli()))
                .put("strict", title.strict());
        json.putObject("workloads")
                .put("waiting", waiting.size())
                .put("running", queue.running())
                .put("ended", queue.ended());
        json.putObject("pods").put("waiting", queue.podsWaiting()).put("bound", queue.podsBound());
        json.putObject("gpus")
                .put("used", Amounts.thousandths(queue.gpuMilli()))
                .put("capability", queue.gpuCapability().orElse(null));
        ArrayNode quotas = json.putArray("quota");
        queue.quotas().forEach(quota -> quotas.add(toJson(quota)));
        json.put("share", queue.shareMilli().map(Amounts::thousandths).orElse(null));
        StartEstimate estimate = new StartEstimate(queue.workloads(), nowMillis);
        json.put("estimatedBy", estimate.basis());
        ArrayNode positions = json.putArray("positions");
        for (int i = 0; i < waiting.size(); i++) {
            WorkloadStatus status = waiting.get(i);
            positions
                    .addObject()
                    .put("position", i + 1)
                    .put("namespace", status.getNamespace())
                    .put("name", Statuses.name(status))
                    .put("localQueue", status.getLocalQueue().isEmpty() ? null : status.getLocalQueue())
                    .put("priority", status.getPriority())
                    .put("reason", status.getReason().getCode())
                    .put(
                            "estimatedStartMillis",
                            estimate.startMillis(status, i + 1).orElse(null));
        }
        json.put(
                "longestWaitSeconds",
                waiting.isEmpty() ? null : Long.valueOf((nowMillis - queue.longestWaitMillis()) / 1000));
        return json;
    }

    private static ObjectNode toJson(Quota quota) {
        String resource = quota.column().resource();
        return JsonNodeFactory.instance
                .objectNode()
                .put(
                        "flavor",
                        quota.column().flavor().isEmpty()
                                ? null
                                : quota.column().flavor())
                .put("resource", resource)
                .put("nominal", QuotaUnits.number(resource, quota.nominal()))
                .put("used", QuotaUnits.number(resource, quota.used()))
                .put("borrowed", QuotaUnits.number(resource, quota.borrowed()))
                .put("lent", QuotaUnits.number(resource, quota.lent()))
                .put("available", quota.bounded() ? QuotaUnits.number(resource, quota.available()) : null)
                .put("most", quota.bounded() ? QuotaUnits.number(resource, quota.most()) : null)
                .put(
                        "deserved",
                        quota.deserved()
                                .map(amount -> QuotaUnits.number(resource, amount))
                                .orElse(null));
    }
}
