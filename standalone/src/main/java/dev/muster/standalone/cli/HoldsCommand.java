package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.state.HeldMemberRow;
import dev.muster.schemas.state.HoldRow;
import dev.muster.standalone.Counts;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code muster holds}. */
@Command(
        name = "holds",
        abbreviateSynopsis = true,
        header =
                "List room that is set aside: for placements that are being bound, and for workloads that others make room for.",
        description =
                "A hold has an owner and a deadline. That of a placement ends with its pods being seen bound; that of a"
                        + " preemption when its workload is placed, gone, or given up; that of slots of a gang that lost"
                        + " members when it is whole again, or given up whole. Read from the scheduler's own changelog.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster holds --data-dir ./muster-data",
            "  muster holds --bootstrap-servers kafka:9092 --schema-registry http://registry:8081 -o json"
        })
final class HoldsCommand implements Callable<Integer> {
    private static final String GPU = "nvidia.com/gpu";

    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    HoldsCommand(Environment environment) {
        this.environment = environment;
    }

    /** A domain's decisions are numbered for themselves, and a domain is a partition. */
    private record Key(int partition, long sequence, int ordinal) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPartition = Integer.compare(partition, other.partition);
            int bySequence = byPartition != 0 ? byPartition : Long.compare(sequence, other.sequence);
            return bySequence != 0 ? bySequence : Integer.compare(ordinal, other.ordinal);
        }

        private static Key of(int partition, String decision) {
            int colon = decision.indexOf(':');
            return new Key(
                    partition,
                    Long.parseLong(decision.substring(0, colon)),
                    Integer.parseInt(decision.substring(colon + 1)));
        }
    }

    @Override
    public Integer call() {
        try (TopicSession session = TopicSession.open(connection, environment)) {
            TreeMap<Key, HoldRow> holds = new TreeMap<>();
            session.reader()
                    .partitions(
                            SchedulerConfig.holdsChangelog(session.topics()), HoldRow.class, (partition, key, hold) -> {
                                if (hold == null) {
                                    holds.remove(Key.of(partition, key));
                                } else {
                                    holds.put(Key.of(partition, key), hold);
                                }
                            });
            session.readToEnd();
            listing(System.currentTimeMillis()).print(environment, output, List.copyOf(holds.values()));
            return ExitCode.DONE;
        }
    }

    private static Listing<HoldRow> listing(long nowMillis) {
        return new Listing<HoldRow>("holds", HoldRow::getWorkload, hold -> toJson(hold, nowMillis))
                .column("WORKLOAD", HoldRow::getWorkload)
                .column("FOR", HoldsCommand::purpose)
                .column("CLUSTER", HoldRow::getCluster)
                .column("PODS", hold -> String.valueOf(hold.getMembers().size()))
                .column("NODES", hold -> String.valueOf(nodes(hold).size()))
                .column("GPUS", hold -> Amounts.thousandths(gpuMilli(hold)).toPlainString())
                .column("UNTIL", hold -> until(hold, nowMillis))
                .column("WAITS-FOR", HoldsCommand::waitsFor)
                .wideColumn("DECISION", HoldsCommand::decision);
    }

    private static String purpose(HoldRow hold) {
        if (isSlots(hold)) {
            return "slots";
        }
        return hold.getKept() ? "preemption" : "placement";
    }

    /** Whether it holds the slots of a gang that lost members. */
    private static boolean isSlots(HoldRow hold) {
        return hold.getKept() && hold.getBrokenMillis() > 0;
    }

    private static String until(HoldRow hold, long nowMillis) {
        long left = hold.getDeadlineMillis() - nowMillis;
        if (hold.getRevoking()) {
            return "taken back";
        }
        return left < 0 ? "overdue" : Ages.of(Duration.ofMillis(left));
    }

    private static String waitsFor(HoldRow hold) {
        if (!hold.getKept()) {
            return "binding";
        }
        if (hold.getAsked()) {
            return "eviction of " + Counts.of(hold.getVictims().size(), "pod");
        }
        if (isSlots(hold)) {
            return "the gang to be whole";
        }
        return hold.getVictims().isEmpty()
                ? "pods that leave"
                : Counts.of(hold.getVictims().size(), "evicted pod") + " to leave";
    }

    /** Empty where room is kept without a decision. */
    private static String decision(HoldRow hold) {
        int ordinal = hold.getDecision().getOrdinal();
        return ordinal < 0 ? "" : hold.getDecision().getSequence() + ":" + ordinal;
    }

    private static List<String> nodes(HoldRow hold) {
        return hold.getMembers().stream()
                .map(HeldMemberRow::getNode)
                .distinct()
                .sorted()
                .toList();
    }

    private static long gpuMilli(HoldRow hold) {
        return hold.getMembers().stream()
                .mapToLong(member -> gpuMilli(hold.getRequirements().get(member.getRequirement())))
                .sum();
    }

    private static long gpuMilli(PodRequirement requirement) {
        long whole = requirement.getRequests().stream()
                .filter(amount -> amount.getResource().equals(GPU))
                .mapToLong(amount -> amount.getAmount() * 1_000)
                .sum();
        return whole + requirement.getGpuFractionMilli();
    }

    private static ObjectNode toJson(HoldRow hold, long nowMillis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("workload", hold.getWorkload())
                .put("for", purpose(hold))
                .put("cluster", hold.getCluster())
                .put("namespace", hold.getNamespace())
                .put("decision", decision(hold))
                .put("pods", hold.getMembers().size())
                .put("gpus", Amounts.thousandths(gpuMilli(hold)))
                .put("deadlineMillis", hold.getDeadlineMillis())
                .put("secondsLeft", (hold.getDeadlineMillis() - nowMillis) / 1000)
                .put("takenBack", hold.getRevoking())
                .put("waitsFor", waitsFor(hold));
        ArrayNode nodes = json.putArray("nodes");
        nodes(hold).forEach(nodes::add);
        ArrayNode victims = json.putArray("victims");
        hold.getVictims().forEach(victims::add);
        return json;
    }
}
