package dev.muster.standalone.stack;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.Faults;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.SimulatedCluster;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/**
 * A simulated member cluster and the objects that the tests put into it. Each test has nodes of its own, told apart by the
 * label {@code pool}, so that many tests can share one stack.
 */
final class TestCluster implements AutoCloseable {
    private static final double SPEED = 100;

    /** A binding as the cluster carried it out. */
    record Bound(String pod, String uid, String node, String decisionId) {}

    private final SimulatedCluster cluster;
    private final List<Bound> bound = new CopyOnWriteArrayList<>();
    private final Map<String, List<String>> groupPhases = new TreeMap<>();

    private TestCluster(SimulatedCluster cluster) {
        this.cluster = cluster;
        cluster.store().subscribe(ResourceKinds.PODS, (type, pod) -> noteBinding(type, pod));
        cluster.store().subscribe(ResourceKinds.VOLCANO_POD_GROUPS, (type, group) -> notePhase(group));
        apply("""
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: Queue
            metadata: {name: default}
            spec: {weight: 1}
            status: {state: Open}
            """);
    }

    static TestCluster start(String name) {
        return new TestCluster(SimulatedCluster.start(
                SimulatedClusterOptions.DEFAULT.withName(name).withSpeed(SPEED)));
    }

    SimulatedCluster simulated() {
        return cluster;
    }

    StackConfig.Member member() {
        return new StackConfig.Member(cluster.name(), cluster.clientConfig());
    }

    /** Writes a kubeconfig as kubectl would keep it, and returns the file. */
    Path kubeconfig(Path directory) throws IOException {
        String name = cluster.name();
        return Files.writeString(directory.resolve(name + ".yaml"), """
            apiVersion: v1
            kind: Config
            current-context: %1$s-admin
            clusters:
            - name: %1$s
              cluster: {server: "%2$s"}
            users:
            - name: admin
              user: {}
            contexts:
            - name: %1$s-admin
              context: {cluster: %1$s, user: admin, namespace: default}
            """.formatted(name, cluster.url()));
    }

    void node(String pool, String name, int gpus) {
        String amounts = "{cpu: '64', memory: 256Gi, pods: '110', nvidia.com/gpu: '%d'}".formatted(gpus);
        apply("""
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {pool: %s}}
            spec: {}
            status:
              capacity: %s
              allocatable: %s
            """.formatted(name, pool, amounts, amounts));
    }

    void cordon(String node) {
        cluster.store()
                .edit(
                        ResourceKinds.NODES,
                        "",
                        node,
                        object -> object.withObject("/spec").put("unschedulable", true));
    }

    /** A pod for itself that runs until it is ended. */
    void lonePod(String pool, String name, int gpus) {
        pod(name, "{}", podSpec(pool, gpus));
    }

    /** A gang of the scheduler-plugins kind: its group, then its pods {@code NAME-0 ...}, a GPU each. */
    void gang(String pool, String name, int size) {
        apply("""
            apiVersion: scheduling.x-k8s.io/v1alpha1
            kind: PodGroup
            metadata: {name: %s, namespace: default}
            spec: {minMember: %d}
            """.formatted(name, size));
        for (int i = 0; i < size; i++) {
            member(pool, name, i);
        }
    }

    /** Makes one pod of such a gang. */
    void member(String pool, String gang, int index) {
        pod(gang + "-" + index, "{scheduling.x-k8s.io/pod-group: " + gang + "}", podSpec(pool, 1));
    }

    /** One task of a Volcano Job: pods of a GPU each, with these annotations in flow style. */
    record Task(String name, int replicas, String annotations) {}

    /** A Volcano Job all of whose pods must run together. */
    void volcanoJob(String pool, String name, Task... tasks) {
        String all = IntStream.range(0, tasks.length)
                .mapToObj(i ->
                        """
                        - name: %s
                          replicas: %d
                          template:
                            metadata: {annotations: %s}
                            spec: %s
                        """.formatted(tasks[i].name(), tasks[i].replicas(), tasks[i].annotations(), podSpec(pool, 1)))
                .collect(joining());
        apply("""
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: volcano
              queue: default
              tasks:
            """.formatted(name) + all.indent(2));
    }

    /** A class whose volumes are made, after that much of cluster time, once their claims have a node. */
    void storageClass(String name, String after) {
        apply("""
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s, annotations: {muster.dev/provision-after: %s}}
            provisioner: disk.csi
            volumeBindingMode: WaitForFirstConsumer
            """.formatted(name, after));
    }

    /** A gang of the scheduler-plugins kind, each of whose pods has an ephemeral volume {@code scratch} of that class. */
    void gangWithScratch(String pool, String name, int size, String storageClass) {
        apply("""
            apiVersion: scheduling.x-k8s.io/v1alpha1
            kind: PodGroup
            metadata: {name: %s, namespace: default}
            spec: {minMember: %d}
            """.formatted(name, size));
        String volumes =
                "volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}], "
                        .formatted(storageClass);
        for (int i = 0; i < size; i++) {
            String spec = podSpec(pool, 1).replaceFirst("\\{", "{" + volumes);
            pod(name + "-" + i, "{scheduling.x-k8s.io/pod-group: " + name + "}", spec);
        }
    }

    /** A claim of volumes. */
    JsonNode claim(String name) {
        return get(ResourceKinds.CLAIMS, name);
    }

    String jobPhase(String name) {
        return text(get(ResourceKinds.VOLCANO_JOBS, name), "/status/state/phase");
    }

    /** Phases that the PodGroup of a Volcano Job went through. */
    List<String> groupPhases(String job) {
        synchronized (groupPhases) {
            return List.copyOf(groupPhases.getOrDefault(job, List.of()));
        }
    }

    /** Pods whose names start with these words and a dash. */
    List<JsonNode> pods(String prefix) {
        return cluster.store().list(ResourceKinds.PODS).stream()
                .filter(pod -> name(pod).startsWith(prefix + "-"))
                .toList();
    }

    JsonNode pod(String name) {
        return get(ResourceKinds.PODS, name);
    }

    /** How many of these pods run. */
    long running(String prefix) {
        return pods(prefix).stream()
                .filter(pod -> text(pod, "/status/phase").equals("Running"))
                .count();
    }

    /** Nodes of these pods that are bound, one for each. */
    List<String> nodesOf(String prefix) {
        return pods(prefix).stream()
                .map(TestCluster::nodeOf)
                .filter(node -> !node.isEmpty())
                .toList();
    }

    /** All bindings since the cluster started, in their order. */
    List<Bound> bound() {
        return List.copyOf(bound);
    }

    /** Messages of the FailedScheduling Events on the pod of this uid, in no order. */
    List<String> failedScheduling(String uid) {
        return cluster.store().list(ResourceKinds.EVENTS).stream()
                .filter(event -> text(event, "/involvedObject/uid").equals(uid)
                        && text(event, "/reason").equals("FailedScheduling"))
                .map(event -> text(event, "/message"))
                .toList();
    }

    /** The message of condition PodScheduled=False; empty where there is none. */
    static String waitingBecause(JsonNode pod) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (text(condition, "/type").equals("PodScheduled")
                    && text(condition, "/status").equals("False")
                    && text(condition, "/reason").equals("Unschedulable")) {
                return text(condition, "/message");
            }
        }
        return "";
    }

    Faults faults() {
        return cluster.faults();
    }

    static String name(JsonNode object) {
        return text(object, "/metadata/name");
    }

    static String uid(JsonNode object) {
        return text(object, "/metadata/uid");
    }

    static String nodeOf(JsonNode pod) {
        return text(pod, "/spec/nodeName");
    }

    static String text(JsonNode object, String pointer) {
        return object.at(pointer).asText("");
    }

    @Override
    public void close() {
        cluster.close();
    }

    private JsonNode get(ResourceKind kind, String name) {
        return cluster.store()
                .get(kind, "default", name)
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }

    private void pod(String name, String labels, String spec) {
        apply("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: %s}
            spec: %s
            """.formatted(name, labels, spec));
    }

    private static String podSpec(String pool, int gpus) {
        String amounts = "{cpu: '1', memory: 1Gi, nvidia.com/gpu: '%d'}".formatted(gpus);
        return "{schedulerName: muster, restartPolicy: Never, nodeSelector: {pool: %s}, containers: [{name: main,"
                        .formatted(pool)
                + " image: 'train:1', resources: {requests: %1$s, limits: %1$s}}]}".formatted(amounts);
    }

    private void apply(String yaml) {
        cluster.store().applyYaml(yaml);
    }

    private void noteBinding(String type, JsonNode pod) {
        String node = nodeOf(pod);
        if (type.equals("MODIFIED") && !node.isEmpty()) {
            Bound now = new Bound(
                    name(pod),
                    uid(pod),
                    node,
                    pod.at("/metadata/annotations").path("muster.dev/decision").asText());
            if (!bound.contains(now)) {
                bound.add(now);
            }
        }
    }

    private void notePhase(JsonNode group) {
        String job = text(group, "/metadata/ownerReferences/0/name");
        synchronized (groupPhases) {
            List<String> phases = groupPhases.computeIfAbsent(job, unused -> new ArrayList<>());
            String phase = text(group, "/status/phase");
            if (phases.isEmpty() || !phases.getLast().equals(phase)) {
                phases.add(phase);
            }
        }
    }
}
