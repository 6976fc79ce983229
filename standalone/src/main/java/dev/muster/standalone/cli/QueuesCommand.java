package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.QueueSpec;
import dev.muster.standalone.cli.QueueTable.Queue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code muster queues}. */
@Command(
        name = "queues",
        abbreviateSynopsis = true,
        header = "List queues: what waits in them, what runs, and the GPUs they use.",
        description =
                "A queue is listed when it has an object (a Volcano Queue) or a workload that names it; without an"
                        + " object its state is Undefined.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster queues --data-dir ./muster-data",
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
            QueueTable table = new QueueTable();
            session.reader()
                    .topic(session.topics().workloadStatus(), WorkloadStatus.class, statuses::take)
                    .topic(session.topics().policies(), PolicyEvent.class, table::take);
            session.readToEnd();
            listing(System.currentTimeMillis()).print(environment, output, table.queues(statuses.all()));
            return ExitCode.DONE;
        }
    }

    private static Listing<Queue> listing(long nowMillis) {
        return new Listing<Queue>("queues", Queue::name, q -> toJson(q, nowMillis))
                .column("NAME", Queue::name)
                .column("STATE", Queue::state)
                .column("WAITING", q -> String.valueOf(q.waiting()))
                .column("RUNNING", q -> String.valueOf(q.running()))
                .column("GPUS", q -> Amounts.thousandths(q.gpuMilli()).toPlainString())
                .column(
                        "CAPABILITY",
                        q -> q.gpuCapability().map(String::valueOf).orElse(""))
                .column("OLDEST", q -> oldest(q, nowMillis))
                .wideColumn("PODS-WAITING", q -> String.valueOf(q.podsWaiting()))
                .wideColumn("PODS-BOUND", q -> String.valueOf(q.podsBound()))
                .wideColumn("ENDED", q -> String.valueOf(q.ended()))
                .wideColumn("PARENT", q -> q.spec().map(QueueSpec::getParent).orElse(""))
                .wideColumn(
                        "WEIGHT",
                        q -> q.spec()
                                .map(spec -> String.valueOf(spec.getWeight()))
                                .orElse(""));
    }

    private static String oldest(Queue queue, long nowMillis) {
        return queue.waiting() == 0 ? "" : Ages.of(Duration.ofMillis(nowMillis - queue.longestWaitMillis()));
    }

    private static ObjectNode toJson(Queue queue, long nowMillis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", queue.name()).put("state", queue.state());
        json.putObject("workloads")
                .put("waiting", queue.waiting())
                .put("running", queue.running())
                .put("ended", queue.ended());
        json.putObject("pods").put("waiting", queue.podsWaiting()).put("bound", queue.podsBound());
        json.putObject("gpus")
                .put("used", Amounts.thousandths(queue.gpuMilli()))
                .put("capability", queue.gpuCapability().orElse(null));
        Optional<QueueSpec> spec = queue.spec();
        json.put("parent", spec.map(QueueSpec::getParent).orElse(null))
                .put("weight", spec.map(QueueSpec::getWeight).orElse(null))
                .put("reclaimable", spec.map(QueueSpec::getReclaimable).orElse(null));
        json.put(
                "longestWaitSeconds",
                queue.waiting() == 0 ? null : Long.valueOf((nowMillis - queue.longestWaitMillis()) / 1000));
        return json;
    }
}
