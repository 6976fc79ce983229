package dev.muster.standalone.bench;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.MatchPolicy;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedJob;
import dev.muster.schemas.job.SubmittedTask;
import dev.muster.schemas.serde.AvroSerde;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * What ingest, intake and binder write about one cluster: nodes of 96 CPU, 1 TiB and 8 GPUs, gangs of 8 pods of 8 CPU,
 * 64 GiB and one GPU. Gangs are numbered; names and uids follow from the number.
 */
final class ClusterNews {
    static final String CLUSTER = "bench";
    static final String NAMESPACE = "ml";
    private static final String TENANT = "bench";
    private static final String TASK = "worker";
    private static final String TEMPLATE = "bench-template";
    private static final long GIB = 1L << 30;
    private static final long EPOCH = 1;
    private static final int RACK = 8;
    private static final int BLOCK = 128;
    private static final int ZONE = 512;

    private final String domain;
    private final StreamOptions.Source source;
    /** Of every pod with a GPU; encoded often, changed never. */
    private final PodRequirement requirement;

    ClusterNews(String domain, StreamOptions.Source source) {
        this.domain = domain;
        this.source = source;
        AvroSerde.trustGeneratedClasses();
        this.requirement = PodRequirement.newBuilder()
                .setRequests(List.of(
                        new Quantity("cpu", 8_000L),
                        new Quantity("memory", 64 * GIB),
                        new Quantity("nvidia.com/gpu", 1L),
                        new Quantity("pods", 1L)))
                .build();
    }

    /** A stage of a pod's life that an ingest publishes. */
    enum Stage {
        CREATED("Pending"),
        BOUND("Pending"),
        ENDED("Succeeded");

        private final String phase;

        Stage(String phase) {
            this.phase = phase;
        }
    }

    /** The cluster's first lists: all nodes, and nothing else yet. */
    List<SpecificRecord> firstLists(int nodes) {
        List<SpecificRecord> records = new ArrayList<>();
        records.add(new NodeEvent(bracket(Change.RESYNC_BEGIN), null));
        for (int node = 0; node < nodes; node++) {
            records.add(node(node));
        }
        records.add(new NodeEvent(bracket(Change.RESYNC_END), null));
        for (Change change : List.of(Change.RESYNC_BEGIN, Change.RESYNC_END)) {
            records.add(new PodEvent(bracket(change), null));
            for (String kind : List.of("VolcanoPodGroup", "PodGroup", "VolcanoJob")) {
                records.add(new GroupEvent(bracket(change), kind, null));
            }
            for (String kind : List.of("VolcanoQueue", "PriorityClass")) {
                records.add(new PolicyEvent(bracket(change), kind, null));
            }
        }
        return records;
    }

    /** Pods with a GPU fill at most nine nodes of ten, a gang each; the others have none. */
    static int gpuGangs(int nodes, int pods) {
        return Math.min(pods / StreamOptions.GANG, nodes * StreamOptions.GPUS_PER_NODE / StreamOptions.GANG * 9 / 10);
    }

    /** The number of the first gang that {@link #runningCluster} did not use. */
    static int firstFreeGang(int pods) {
        return pods / StreamOptions.GANG;
    }

    /** The first lists of a cluster in which so many pods of our gangs run already. */
    void runningCluster(int nodes, int pods, Consumer<SpecificRecord> taker) {
        List<SpecificRecord> lists = firstLists(nodes);
        int endOfNodes = nodes + 2;
        lists.subList(0, endOfNodes).forEach(taker);
        int gpuGangs = gpuGangs(nodes, pods);
        for (int gang = 0; gang < pods / StreamOptions.GANG; gang++) {
            taker.accept(podGroup(gang));
            for (int index = 0; index < StreamOptions.GANG; index++) {
                int number = gang * StreamOptions.GANG + index;
                String node = nodeName(number / StreamOptions.GPUS_PER_NODE % nodes);
                List<Integer> devices = gang < gpuGangs ? List.of(number % StreamOptions.GPUS_PER_NODE) : List.of();
                taker.accept(runningPod(gang, index, new Place(node, devices, "")));
            }
        }
        lists.subList(endOfNodes, lists.size()).forEach(taker);
    }

    private GroupEvent podGroup(int gang) {
        return new GroupEvent(
                origin(Change.UPSERT, NAMESPACE, "g" + gang, "gu" + gang, 1), "VolcanoPodGroup", gangOf("Running"));
    }

    private static GroupSpec gangOf(String phase) {
        return GroupSpec.newBuilder()
                .setMatchPolicy(MatchPolicy.WAITING_AND_RUNNING)
                .setStartsWith(List.of())
                .setTree(List.of())
                .setQueue("default")
                .setMinMember(StreamOptions.GANG)
                .setPhase(phase)
                .setTasks(List.of())
                .setSubGroups(List.of())
                .build();
    }

    private PodEvent runningPod(int gang, int index, Place place) {
        PodRequirement asked = place.devices().isEmpty() ? withoutGpu() : requirement;
        PodSpec spec = PodSpec.newBuilder()
                .setSchedulerName("muster")
                .setOurs(true)
                .setPhase("Running")
                .setNode(place.node())
                .setGroup(new GroupRef("VolcanoPodGroup", "g" + gang))
                .setIndex(index)
                .setRequirement(asked)
                .setDevices(place.devices())
                .build();
        return new PodEvent(podOrigin(gang, index, Change.UPSERT, 1), spec);
    }

    private static PodRequirement withoutGpu() {
        return PodRequirement.newBuilder()
                .setRequests(List.of(new Quantity("cpu", 500L), new Quantity("memory", GIB), new Quantity("pods", 1L)))
                .build();
    }

    /** A node's name. */
    static String nodeName(int node) {
        return String.format(Locale.ROOT, "node-%05d", node);
    }

    /** The number of a node of that name. */
    static int nodeNumber(String name) {
        return Integer.parseInt(name.substring("node-".length()));
    }

    private NodeEvent node(int number) {
        String name = nodeName(number);
        List<KeyValue> labels = List.of(
                new KeyValue("kubernetes.io/hostname", name),
                new KeyValue("topology.bench/block", "block-" + number / BLOCK),
                new KeyValue("topology.bench/rack", "rack-" + number / RACK),
                new KeyValue("topology.kubernetes.io/zone", "zone-" + number / ZONE));
        List<Quantity> allocatable = List.of(
                new Quantity("cpu", 96_000L),
                new Quantity("memory", 1024 * GIB),
                new Quantity("nvidia.com/gpu", (long) StreamOptions.GPUS_PER_NODE),
                new Quantity("pods", 110L));
        return new NodeEvent(
                origin(Change.UPSERT, "", name, "uid-" + name, 1),
                new NodeSpec(labels, List.of(), false, true, allocatable, 0, List.of()));
    }

    /** A gang as the intake passes it on. */
    Submission submission(int gang, long acceptedMillis) {
        SubmittedTask task =
                new SubmittedTask(TASK, StreamOptions.GANG, StreamOptions.GANG, requirement, TEMPLATE, List.of());
        SubmittedJob job =
                new SubmittedJob(NAMESPACE, "", "default", 0, StreamOptions.GANG, List.of(task), null, false);
        return new Submission(domain, TENANT, "c" + gang, "g" + gang, JobAction.SUBMIT, job, acceptedMillis);
    }

    /** The gang object of a gang in the cluster. */
    GroupEvent group(int gang, Change change) {
        GroupSpec spec = change == Change.UPSERT ? gangOf("") : null;
        return new GroupEvent(
                origin(change, NAMESPACE, "g" + gang, "gu" + gang, change == Change.UPSERT ? 1 : 2),
                "VolcanoPodGroup",
                spec);
    }

    static String podUid(int gang, int index) {
        return "u" + gang + "-" + index;
    }

    /** A pod of a gang; place is null while it has no node. */
    PodEvent pod(int gang, int index, Stage stage, Place place) {
        GroupRef group = source == StreamOptions.Source.jobs
                ? new GroupRef("Job", TENANT + "/g" + gang)
                : new GroupRef("VolcanoPodGroup", "g" + gang);
        PodSpec spec = new PodSpec(
                "muster",
                true,
                stage.phase,
                place == null ? "" : place.node,
                false,
                false,
                0,
                true,
                group,
                source == StreamOptions.Source.jobs ? TASK : "",
                index,
                "",
                requirement,
                place == null ? List.of() : place.devices,
                place == null ? "" : place.decision,
                0L,
                List.of(),
                false,
                List.of(),
                0L,
                0L);
        return new PodEvent(podOrigin(gang, index, Change.UPSERT, stage.ordinal() + 1), spec);
    }

    /** The news that a pod is no more. */
    PodEvent podGone(int gang, int index) {
        return new PodEvent(podOrigin(gang, index, Change.DELETE, Stage.values().length + 1), null);
    }

    private Origin podOrigin(int gang, int index, Change change, long version) {
        return origin(change, NAMESPACE, "g" + gang + "-" + TASK + "-" + index, podUid(gang, index), version);
    }

    /** Where a pod was put. */
    record Place(String node, List<Integer> devices, String decision) {}

    /** Where the pods of a placement go, by index. */
    static Place[] places(Decision decision, PlaceGang placement) {
        Place[] places = new Place[StreamOptions.GANG];
        for (NodePlacement node : placement.getNodes()) {
            for (MemberPlacement member : node.getMembers()) {
                places[member.getIndex()] = new Place(node.getNode(), member.getDevices(), decision.getId());
            }
        }
        return places;
    }

    /** What a binder says when it has bound all members. */
    Outcome bound(Decision decision, int gang, long timeMillis) {
        List<MemberOutcome> members = new ArrayList<>(StreamOptions.GANG);
        for (int index = 0; index < StreamOptions.GANG; index++) {
            members.add(new MemberOutcome(
                    0,
                    index,
                    "g" + gang + "-" + TASK + "-" + index,
                    podUid(gang, index),
                    MemberStatus.BOUND,
                    "",
                    "",
                    1L));
        }
        return new Outcome(
                domain,
                CLUSTER,
                decision.getId(),
                decision.getWorkload(),
                OutcomeStatus.BOUND,
                false,
                members,
                timeMillis);
    }

    /** The number of the gang that a decision is about. */
    static int gangOf(Decision decision) {
        String workload = decision.getWorkload();
        return Integer.parseInt(workload.substring(workload.lastIndexOf("/g") + 2));
    }

    private Origin bracket(Change change) {
        return new Origin(domain, CLUSTER, EPOCH, change, "", "", "", 0L);
    }

    private Origin origin(Change change, String namespace, String name, String uid, long version) {
        return new Origin(domain, CLUSTER, EPOCH, change, namespace, name, uid, version);
    }
}
