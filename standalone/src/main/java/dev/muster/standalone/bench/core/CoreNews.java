package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.standalone.bench.core.CoreWorkload.Role;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The events of one made-up cluster: nodes of 96 CPU, 1 TiB and 8 GPUs on two NUMA nodes, 8 nodes a rack, 16 racks a block,
 * 4 blocks a zone; pods of 8 CPU and 64 GiB for each GPU, or 8 CPU and 64 GiB without one.
 *
 * <p>No two events share a string, as those that are decoded from records share none: memory is measured by them.
 */
final class CoreNews {
    static final String CLUSTER = "bench";
    static final int GPUS_PER_NODE = 8;
    private static final String NAMESPACE = "ml";
    private static final long GIB = 1L << 30;
    private static final long EPOCH = 1;
    static final String ZONE_LABEL = "topology.kubernetes.io/zone";
    static final String BLOCK_LABEL = "topology.muster.dev/block";
    static final String RACK_LABEL = "topology.muster.dev/rack";
    private static final int RACK = 8;
    static final int GPUS_PER_RACK = RACK * GPUS_PER_NODE;
    private static final int BLOCK = 16 * RACK;
    private static final int ZONE = 4 * BLOCK;
    private static final int NUMA_NODES = 2;

    private long resourceVersion;

    /** A pod's place: node and devices; nowhere while it waits. */
    record Place(String node, List<Integer> devices) {
        private static final Place NOWHERE = new Place("", List.of());
    }

    static String nodeName(int node) {
        return String.format(Locale.ROOT, "node-%05d", node);
    }

    /** What the cluster says of a node. */
    static NodeFacts node(int node) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put(own("kubernetes.io/hostname"), nodeName(node));
        labels.put(own("kubernetes.io/arch"), own("amd64"));
        labels.put(own("node.kubernetes.io/instance-type"), own("gpu-8x"));
        labels.put(own(ZONE_LABEL), "zone-" + node / ZONE);
        labels.put(own(BLOCK_LABEL), "block-" + node / BLOCK);
        labels.put(own(RACK_LABEL), "rack-" + node / RACK);
        return new NodeFacts(labels, List.of(), false, true, amounts(96_000, 1024 * GIB, GPUS_PER_NODE, 110));
    }

    NodeChanged nodeChanged(int node) {
        String name = nodeName(node);
        return new NodeChanged(origin("", name, "uid-of-" + name), node(node));
    }

    /** The node's report of its two NUMA nodes, each with half of everything. */
    NumaChanged numaChanged(int node) {
        List<Amount> half = amounts(48_000, 512 * GIB, GPUS_PER_NODE / NUMA_NODES, 0);
        List<NumaFacts.Zone> zones = List.of(
                new NumaFacts.Zone(own("node-0"), half, half, half, costs(10, 21)),
                new NumaFacts.Zone(own("node-1"), half, half, half, costs(21, 10)));
        String name = nodeName(node);
        return new NumaChanged(
                origin("", name, "numa-of-" + name), new NumaFacts(own("restricted"), own("pod"), zones));
    }

    private static List<Label> costs(int first, int second) {
        return List.of(
                new Label(own("node-0"), Integer.toString(first)), new Label(own("node-1"), Integer.toString(second)));
    }

    /** The levels: zone, block, rack, node. */
    PolicyChanged topology() {
        return new PolicyChanged(
                origin("", "levels", "uid-of-levels"),
                Kinds.TOPOLOGY,
                new Policy.Topology(List.of(ZONE_LABEL, BLOCK_LABEL, RACK_LABEL, "kubernetes.io/hostname")));
    }

    /** The gang's PodGroup; its roles' minimums are all of their pods. */
    GroupChanged group(String gang, List<Role> roles, String queue) {
        List<GroupFacts.Task> tasks = roles.size() == 1
                ? List.of()
                : roles.stream()
                        .map(role -> new GroupFacts.Task(own(role.task()), role.pods(), role.pods(), ""))
                        .toList();
        int all = roles.stream().mapToInt(Role::pods).sum();
        return new GroupChanged(
                origin(own(NAMESPACE), gang, "uid-of-" + gang),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts(queue, "", all, tasks, "", own("Pending"), 0, 0));
    }

    static String podName(String gang, Role role, int index) {
        return role.task().isEmpty() ? gang + "-" + index : gang + "-" + role.task() + "-" + index;
    }

    PodChanged waitingPod(String gang, boolean lone, Role role, int index, PodSetTopology asked) {
        return pod(gang, lone, role, index, "Pending", Place.NOWHERE, asked);
    }

    PodChanged runningPod(String gang, boolean lone, Role role, int index, Place place, PodSetTopology asked) {
        return pod(gang, lone, role, index, "Running", place, asked);
    }

    PodChanged endedPod(String gang, boolean lone, Role role, int index, Place place, PodSetTopology asked) {
        return pod(gang, lone, role, index, "Succeeded", place, asked);
    }

    PodGone podGone(String gang, Role role, int index) {
        return new PodGone(podOrigin(podName(gang, role, index)));
    }

    ClusterEvent.GroupGone groupGone(String gang) {
        return new ClusterEvent.GroupGone(origin(NAMESPACE, gang, "uid-of-" + gang), Kinds.VOLCANO_POD_GROUP);
    }

    private PodChanged pod(
            String gang, boolean lone, Role role, int index, String phase, Place place, PodSetTopology asked) {
        PodFacts facts = new PodFacts(
                own("muster"),
                true,
                own(phase),
                place.node(),
                false,
                false,
                0,
                true,
                lone ? null : new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, own(gang)),
                own(role.task()),
                lone ? -1 : index,
                "",
                asked.given() ? requirement(role.gpus()).withTopology(asked) : requirement(role.gpus()),
                place.devices(),
                "",
                0);
        return new PodChanged(podOrigin(podName(gang, role, index)), facts);
    }

    private Origin podOrigin(String name) {
        return origin(own(NAMESPACE), name, "uid-of-" + name);
    }

    /** What a pod with so many GPUs asks for. */
    static Requirement requirement(int gpus) {
        int shares = Math.max(1, gpus);
        return new Requirement(
                amounts(8_000L * shares, 64 * GIB * shares, gpus, 1),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "");
    }

    private static List<Amount> amounts(long cpuMillis, long memoryBytes, int gpus, int pods) {
        Amount cpu = new Amount(own("cpu"), cpuMillis);
        Amount memory = new Amount(own("memory"), memoryBytes);
        Amount gpu = new Amount(own("nvidia.com/gpu"), gpus);
        Amount pod = new Amount(own("pods"), pods);
        if (pods == 0) {
            return List.of(cpu, memory, gpu);
        }
        return gpus == 0 ? List.of(cpu, memory, pod) : List.of(cpu, memory, gpu, pod);
    }

    /** What the binder says of a placement that was carried out. */
    static ClusterEvent.OutcomeReported bound(Decision decision, long timeMillis) {
        PlaceGang placed = (PlaceGang) decision.action();
        List<MemberOutcome> members = placed.nodes().stream()
                .flatMap(node -> node.members().stream())
                .map(member -> new MemberOutcome(
                        member.podSet(), member.index(), member.name(), member.uid(), MemberStatus.BOUND, "", "", 1))
                .toList();
        return new ClusterEvent.OutcomeReported(new DecisionOutcome(
                decision.id(),
                placed.cluster(),
                decision.workload(),
                DecisionOutcome.Status.BOUND,
                false,
                members,
                timeMillis));
    }

    /** Where the operator's settings come from: no cluster's. */
    Origin operators() {
        return new Origin("", EPOCH, "", "bench", "bench", ++resourceVersion);
    }

    private Origin origin(String namespace, String name, String uid) {
        return new Origin(own(CLUSTER), EPOCH, namespace, name, uid, ++resourceVersion);
    }

    /** The same letters as a string of their own, as a decoder makes it. */
    private static String own(String text) {
        return new String(text.toCharArray());
    }
}
