package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.serde.AvroSerde;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects of every watched kind with pieces taken out, doubled, or replaced by what nobody expects there, each drawn from the
 * seed that a failure names. A mapper never throws, what it takes is within bounds, and what it refuses has a reason in one
 * line. An object that the client's own classes cannot hold never reaches a mapper, and is not counted; and no API server
 * sends objects without metadata, or lists with null in them.
 */
class MapperFuzzTest {
    private static final int MUTATIONS = Integer.getInteger("muster.fuzz", 3_000);
    private static final long SEED = Long.getLong("muster.fuzz.seed", 20_261_130L);
    /** What can't be read in these is left out, or shows as a signal of its own. */
    private static final Set<String> TAKE_ALL =
            Set.of("PodDisruptionBudget", "PriorityClass", "Node's health", "Job of Kubernetes");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();

    /** A kind: an object full of what scheduling looks at, its class, its mapper. */
    record Kind<T>(String name, Class<T> type, Function<T, Mapped<?>> mapper, String yaml) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    static Stream<Kind<?>> kinds() {
        PodMapper pods = new PodMapper(Set.of("muster", "volcano"));
        GpuHealthMapper health = new GpuHealthMapper(HealthMapping.defaults());
        return Stream.of(
                new Kind<>("Pod that waits", Pod.class, pods::map, POD),
                new Kind<>(
                        "Pod that is bound", Pod.class, pods::map, POD.replace("spec:\n", "spec:\n  nodeName: n1\n")),
                new Kind<>("Node", Node.class, NodeMapper::map, NODE),
                new Kind<>("Node's health", Node.class, health::map, NODE),
                new Kind<>("PriorityClass", PriorityClass.class, PriorityClassMapper::map, PRIORITY_CLASS),
                new Kind<>("PodDisruptionBudget", PodDisruptionBudget.class, DisruptionBudgetMapper::map, BUDGET),
                new Kind<>("Queue", GenericKubernetesResource.class, QueueMapper::map, QUEUE),
                new Kind<>("PodGroup of Volcano", GenericKubernetesResource.class, GroupMapper::volcano, POD_GROUP),
                new Kind<>("PodGroup", GenericKubernetesResource.class, GroupMapper::schedulerPlugins, POD_GROUP),
                new Kind<>("Job", GenericKubernetesResource.class, JobMapper::map, JOB),
                new Kind<>("Topology", GenericKubernetesResource.class, TopologyMapper::map, TOPOLOGY),
                new Kind<>("HyperNode", GenericKubernetesResource.class, HyperNodeMapper::map, HYPER_NODE),
                new Kind<>(
                        "Job of Kubernetes",
                        io.fabric8.kubernetes.api.model.batch.v1.Job.class,
                        BatchJobMapper::map,
                        BATCH_JOB),
                new Kind<>("NodeResourceTopology", GenericKubernetesResource.class, NumaMapper::map, NUMA));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    <T> void noObjectMakesItsMapperThrow(Kind<T> kind) {
        JsonNode whole = JSON.valueToTree(KUBERNETES.unmarshal(kind.yaml(), Map.class));
        assertThat(kind.mapper()
                        .apply(KUBERNETES.unmarshal(whole.toString(), kind.type()))
                        .refusals())
                .isEmpty();
        int taken = 0;
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(SEED + i);
            JsonNode mutated = mutated(whole, random);
            T object;
            try {
                object = KUBERNETES.unmarshal(mutated.toString(), kind.type());
            } catch (RuntimeException e) {
                continue;
            }
            try {
                Mapped<?> mapped = kind.mapper().apply(object);
                taken += mapped.facts().isPresent() ? 1 : 0;
                refused += mapped.refusals().isEmpty() ? 0 : 1;
                mapped.refusals()
                        .forEach(refusal ->
                                assertThat(refusal.message()).isNotBlank().doesNotContain("\n"));
                mapped.facts().ifPresent(MapperFuzzTest::requireBounded);
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                throw new AssertionError("seed " + (SEED + i) + ": " + mutated, e);
            }
        }
        assertThat(taken).as("of " + MUTATIONS + " are taken").isGreaterThan(MUTATIONS / 20);
        if (!TAKE_ALL.contains(kind.name())) {
            assertThat(refused).as("of " + MUTATIONS + " have something wrong").isPositive();
        }
    }

    /** No amount is negative, whatever was written: usage must never shrink by a request. */
    private static void requireBounded(Object facts) {
        if (facts instanceof List<?> list) {
            list.forEach(MapperFuzzTest::requireBounded);
        } else if (facts instanceof dev.muster.schemas.common.Quantity quantity) {
            assertThat(quantity.getAmount()).isNotNegative();
        } else if (facts instanceof SpecificRecord record) {
            record.getSchema().getFields().forEach(field -> requireBounded(record.get(field.pos())));
        } else if (facts instanceof String text) {
            assertThat(text.length()).isLessThanOrEqualTo(4_096);
        }
    }

    private static JsonNode mutated(JsonNode whole, Random random) {
        JsonNode copy = whole.deepCopy();
        for (int n = random.nextInt(3); n >= 0; n--) {
            List<JsonNode> containers = new ArrayList<>();
            collect(copy, containers);
            JsonNode container = containers.get(random.nextInt(containers.size()));
            if (container instanceof ObjectNode object && !object.isEmpty()) {
                List<String> names = new ArrayList<>();
                object.fieldNames().forEachRemaining(names::add);
                String name = names.get(random.nextInt(names.size()));
                if (name.equals("metadata")) {
                    continue;
                }
                switch (random.nextInt(4)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set(String.valueOf(weird(random).asText()), object.get(name));
                    default -> object.set(name, weird(random));
                }
            } else if (container instanceof ArrayNode array) {
                switch (random.nextInt(3)) {
                    case 0 -> array.add(something(random));
                    case 1 -> array.removeAll();
                    default -> array.addAll(array.deepCopy());
                }
            }
        }
        return copy;
    }

    private static void collect(JsonNode node, List<JsonNode> into) {
        if (node.isContainerNode()) {
            into.add(node);
            node.forEach(child -> collect(child, into));
        }
    }

    private static JsonNode something(Random random) {
        JsonNode weird = weird(random);
        return weird.isNull() ? JsonNodeFactory.instance.objectNode() : weird;
    }

    private static JsonNode weird(Random random) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        return switch (random.nextInt(8)) {
            case 0 -> make.nullNode();
            case 1 -> make.numberNode(WEIRD_NUMBERS[random.nextInt(WEIRD_NUMBERS.length)]);
            case 2 -> make.booleanNode(random.nextBoolean());
            case 3 -> make.arrayNode().add(something(random));
            case 4 -> make.objectNode().set("x", make.textNode("y"));
            default -> make.textNode(WEIRD_TEXTS[random.nextInt(WEIRD_TEXTS.length)]);
        };
    }

    private static final long[] WEIRD_NUMBERS = {
        0, 1, -1, 10_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    private static final String[] WEIRD_TEXTS = {
        "", " ", "-1", "-5Gi", "1e999", "1e999999999", "NaN", "Infinity", "9223372036854775808",
                "99999999999999999999Ei",
        "0.0000000001", "1Ki1", "Not A Name", "../root", "a/b/c", "0,0", "3,2,1", "-", "1.5", "1.0000000001",
        "2026-13-45T00:00:00Z", "In", "Exists", "Gt", "\u202e", "\u0000", "\n", "x".repeat(70_000), "cpu",
                "nvidia.com/gpu"
    };

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: worker-3
              namespace: research
              uid: u-1
              creationTimestamp: '2026-11-01T00:00:00Z'
              labels: {scheduling.x-k8s.io/pod-group: train, muster.dev/task: worker}
              annotations: {muster.dev/index: '3', volcano.sh/queue-name: research}
            spec:
              schedulerName: muster
              priority: 7
              preemptionPolicy: Never
              nodeSelector: {zone: a}
              overhead: {cpu: 100m}
              tolerations:
              - {key: dedicated, operator: Equal, value: gpu, effect: NoSchedule}
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms:
                    - matchExpressions: [{key: gpu, operator: In, values: [a100, h100]}, {key: n, operator: Gt, values: ['3']}]
                      matchFields: [{key: metadata.name, operator: In, values: [n1]}]
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 10
                    preference: {matchExpressions: [{key: disk, operator: Exists}]}
              initContainers:
              - name: init
                restartPolicy: Always
                resources: {requests: {cpu: '1', memory: 1Gi}}
              containers:
              - name: main
                resources:
                  requests: {cpu: 1500m, memory: 2Gi, nvidia.com/gpu: '4'}
                  limits: {nvidia.com/gpu: '4'}
            status: {phase: Pending}
            """;

    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              uid: u-n1
              labels: {zone: a, nvidia.com/gpu.product: A100, nvidia.com/ecc-uncorrected: '3'}
            spec:
              unschedulable: true
              taints: [{key: dedicated, value: gpu, effect: NoSchedule}, {key: nvidia.com/xid, value: '79', effect: NoExecute}]
            status:
              allocatable: {cpu: '64', memory: 256Gi, pods: '110', nvidia.com/gpu: '8'}
              conditions: [{type: Ready, status: 'True'}, {type: GpuUnhealthy, status: 'True', reason: Xid}]
            """;

    private static final String PRIORITY_CLASS = """
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: high}
            value: 1000
            globalDefault: true
            preemptionPolicy: Never
            """;

    private static final String BUDGET = """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: b, namespace: research}
            spec:
              minAvailable: 50%
              selector:
                matchLabels: {app: a}
                matchExpressions: [{key: tier, operator: NotIn, values: [x]}]
            status: {disruptionsAllowed: 1}
            """;

    private static final String TOPOLOGY = """
            metadata: {name: t, uid: u}
            spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
            """;

    private static final String HYPER_NODE = """
            metadata: {name: h, uid: u}
            spec:
              tier: 2
              tierName: spine
              members:
              - {type: Node, selector: {exactMatch: {name: n1}}}
              - {type: HyperNode, selector: {regexMatch: {pattern: "^leaf-[0-9]+$"}}}
              - type: Node
                selector:
                  labelMatch: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d]}]}
            """;

    private static final String BATCH_JOB = """
            metadata: {name: j, namespace: n, uid: u, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              parallelism: 4
              completions: 8
              template:
                metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
                spec: {priorityClassName: high, containers: [{name: c}]}
            """;

    private static final String QUEUE = """
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: Queue
            metadata: {name: research}
            spec:
              weight: 4
              parent: root
              reclaimable: true
              capability: {cpu: '100', nvidia.com/gpu: 64}
              deserved: {nvidia.com/gpu: '32'}
              guarantee: {resource: {nvidia.com/gpu: '8'}}
            status: {state: Open}
            """;

    private static final String POD_GROUP = """
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: PodGroup
            metadata:
              name: train
              namespace: research
              ownerReferences: [{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: train, uid: u-j, controller: true}]
            spec:
              minMember: 8
              queue: research
              priorityClassName: high
              minTaskMember: {worker: 6, ps: 2}
              scheduleTimeoutSeconds: 60
            status: {phase: Pending}
            """;

    private static final String JOB = """
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: train, namespace: research, uid: u-j}
            spec:
              minAvailable: 3
              queue: research
              priorityClassName: high
              tasks:
              - {name: ps, replicas: 1, template: {spec: {priorityClassName: low}}}
              - {name: worker, replicas: 4, minAvailable: 2, template: {spec: {containers: [{name: a}]}}}
            status: {state: {phase: Pending}}
            """;

    private static final String NUMA = """
            apiVersion: topology.node.k8s.io/v1alpha2
            kind: NodeResourceTopology
            metadata: {name: n1}
            topologyPolicies: [SingleNUMANodeContainerLevel]
            attributes: [{name: topologyManagerPolicy, value: single-numa-node}, {name: topologyManagerScope, value: pod}]
            zones:
            - name: node-0
              type: Node
              costs: [{name: node-0, value: 10}, {name: node-1, value: 20}]
              resources: [{name: cpu, capacity: '32', allocatable: '30', available: '8'}]
            - name: node-1
              type: Node
              costs: [{name: node-0, value: 20}, {name: node-1, value: 10}]
              resources: [{name: nvidia.com/gpu, capacity: '4', allocatable: '4', available: '4'}]
            """;
}
