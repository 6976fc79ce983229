package dev.muster.standalone.scenario.expect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.StatusView;
import dev.muster.standalone.scenario.read.ScenarioReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each condition of the format against one small world: when it holds, when it does not, and what is then said. */
class ConditionsTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Clusters clusters = new Clusters();

    ConditionsTest() throws Exception {
        node("east", "n1", "a", "8");
        node("east", "n2", "b", "8");
        node("west", "n1", "a", "4");
        is(
                "east",
                "{apiVersion: topology.node.k8s.io/v1alpha2, kind: NodeResourceTopology, metadata: {name: n1},"
                        + " attributes: [{name: topologyManagerPolicy, value: best-effort},"
                        + " {name: topologyManagerScope, value: pod}],"
                        + " zones: [" + zone("z0", 2) + ", " + zone("z1", 2) + ", " + zone("z2", 1) + "]}");
        is("east", "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: batch}, spec: {}}");
        is(
                "east",
                "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: a, namespace: ml},"
                        + " spec: {minMember: 2, queue: batch}}");
        is(
                "east",
                "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: v, namespace: ml},"
                        + " status: {state: {phase: Aborting}}}");
        is("east", "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {suspend: true}}");
        pod("east", "a-0", "node: n1, gpu: 2, phase: Running, group: a");
        pod("east", "a-1", "node: n1, gpu: 3, phase: Running, group: a");
        pod("west", "b-0", "node: n1, gpu: 1, phase: Pending");
        pod("east", "c-0", "node: n2, gpu: 1, phase: Running, deleting: true, disrupted: true");
        pod("east", "d-0", "node: n2, gpu: 1, phase: Succeeded");
        pod("east", "e-0", "gpu: 1, phase: Pending");
        clusters.status(
                "1",
                new StatusView(
                        "east", "ml", "Pod", "e-0", "e-0", "NotEnoughRoom", "no room", "WAITING", "", List.of()));
    }

    private static String zone(String name, int gpus) {
        return "{name: " + name + ", type: Node, resources: [{name: nvidia.com/gpu, capacity: '" + gpus
                + "', allocatable: '" + gpus + "', available: '" + gpus + "'}]}";
    }

    private void is(String cluster, String yaml) throws Exception {
        clusters.changed(cluster, "ADDED", YAML.readTree(yaml));
    }

    private void node(String cluster, String name, String zone, String gpus) throws Exception {
        is(
                cluster,
                "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {zone: " + zone
                        + "}}, status: {allocatable: {nvidia.com/gpu: '" + gpus + "'}}}");
    }

    private void pod(String cluster, String name, String facts) throws Exception {
        JsonNode f = YAML.readTree("{" + facts + "}");
        String node = f.has("node") ? "nodeName: " + f.path("node").asText() + ", " : "";
        String metadata = "name: " + name + ", namespace: ml, uid: " + cluster + name
                + (f.has("deleting") ? ", deletionTimestamp: now" : "")
                + (f.has("group")
                        ? ", annotations: {scheduling.k8s.io/group-name: "
                                + f.path("group").asText() + "}"
                        : "");
        String condition =
                f.has("disrupted") ? ", conditions: [{type: DisruptionTarget, status: 'True', reason: Drain}]" : "";
        is(
                cluster,
                "{apiVersion: v1, kind: Pod, metadata: {" + metadata + "}, spec: {schedulerName: muster, " + node
                        + "containers: [{name: c, resources: {requests: {nvidia.com/gpu: '"
                        + f.path("gpu").asInt()
                        + "'}}}]}, status: {phase: " + f.path("phase").asText() + condition + "}}");
    }

    private static Condition condition(String entry) {
        String file = "{apiVersion: muster.dev/v1alpha1, kind: Scenario, metadata: {name: x}, spec: {expect: [" + entry
                + "]}}";
        Expectation expectation = ScenarioReader.read(
                        List.of(new ScenarioReader.Input("x", file.getBytes(StandardCharsets.UTF_8))))
                .getFirst()
                .expectations()
                .getFirst();
        return ((Expectation.Single) expectation).condition();
    }

    private record Row(String entry, boolean holds, String seen) {}

    private static Row holds(String entry, String seen) {
        return new Row(entry, true, seen);
    }

    private static Row fails(String entry, String seen) {
        return new Row(entry, false, seen);
    }

    @TestFactory
    Stream<DynamicTest> eachConditionHoldsOrSaysWhatWasSeen() {
        return Stream.of(
                        holds("{pods: 'ml/a-*', bound: 2}", "2 bound: a-0 on n1, a-1 on n1"),
                        fails("{pods: 'ml/*', bound: 2}", "3 bound: a-0 on n1, a-1 on n1, b-0 on n1"),
                        fails("{pods: 'ml/[c-e]-?', bound: {min: 1}}", "0 bound"),
                        holds("{pods: 'ml/*', bound: {min: 2, max: 3}}", "3 bound: a-0 on n1, a-1 on n1, b-0 on n1"),
                        holds("{pods: 'ml/*', terminating: 1}", "1 terminating: c-0 on n2"),
                        fails("{pods: 'ml/a-*', terminating: 1}", "0 terminating"),
                        holds("{pods: 'ml/a-*', boundIn: [0, 2]}", "2 bound: a-0 on n1, a-1 on n1"),
                        fails("{pods: 'ml/a-*', boundIn: [0, 4]}", "2 bound: a-0 on n1, a-1 on n1"),
                        holds("{pods: 'ml/*', nodes: [x, n*]}", "a-0 on n1, a-1 on n1, b-0 on n1"),
                        fails("{pods: 'ml/*', nodes: [n2]}", "a-0 on n1, a-1 on n1, b-0 on n1"),
                        holds("{pods: 'ml/e-*', nodes: [n2]}", "none bound"),
                        holds("{pods: 'ml/*', distinctNodes: 2}", "on 2 nodes: a-0 on n1, a-1 on n1, b-0 on n1"),
                        fails("{pods: 'ml/a-*', distinctNodes: {min: 2}}", "on 1 nodes: a-0 on n1, a-1 on n1"),
                        holds("{pods: 'ml/a-*', perNode: {min: 2, max: 2}}", "n1 2"),
                        fails("{pods: 'ml/a-*', perNode: {max: 1}}", "n1 2"),
                        holds("{pods: 'ml/*', sameNodeLabel: zone}", "zone [a]"),
                        fails("{pods: 'ml/*', sameNodeLabel: rack}", "rack [] and nodes without that label"),
                        fails("{pods: 'ml/*', maxSkew: {label: zone, skew: 2}}", "skew 3: a 3, b 0"),
                        holds("{pods: 'ml/*', maxSkew: {label: zone, skew: 3}}", "skew 3: a 3, b 0"),
                        holds("{pods: 'ml/a-0', numaNodes: 1}", "a-0 on n1"),
                        fails("{pods: 'ml/a-*', numaNodes: 1}", "a-1 on n1"),
                        holds("{pods: 'ml/a-*', cluster: east}", "a-0 on n1, a-1 on n1"),
                        fails("{pods: 'ml/*', cluster: east}", "b-0 on n1"),
                        holds("{pods: 'ml/*', evictions: 1}", "1 evicted: ml/c-0"),
                        fails("{pods: 'ml/*', evictions: {max: 0}}", "1 evicted: ml/c-0"),
                        holds("{workload: ml/a, state: Running}", "Running"),
                        fails("{workload: ml/v, state: Aborted}", "Aborting"),
                        holds("{workload: ml/j, state: Suspended}", "Suspended"),
                        holds("{workload: ml/b-0, state: Admitted}", "Admitted"),
                        holds("{workload: ml/d-0, state: Completed}", "Completed"),
                        holds("{workload: ml/e-0, state: Pending, reason: NotEnoughRoom}", "Pending, NotEnoughRoom"),
                        fails("{workload: ml/e-0, reason: QueueClosed}", "NotEnoughRoom"),
                        fails("{workload: ml/a, reason: QueueClosed}", "no reason"),
                        fails("{workload: ml/nobody, state: Pending}", "it does not exist"),
                        holds("{queue: batch, usage: {nvidia.com/gpu: 5}}", "uses 5 nvidia.com/gpu"),
                        fails("{queue: batch, usage: {nvidia.com/gpu: 5, cpu: 500m}}", "uses 0 cpu, 5 nvidia.com/gpu"),
                        holds("{node: n2, usage: {nvidia.com/gpu: 1}}", "1 nvidia.com/gpu"),
                        fails("{node: 'n*', usage: {nvidia.com/gpu: 5}}", "n2 1 nvidia.com/gpu; n1 1 nvidia.com/gpu"),
                        fails("{node: n9, usage: {cpu: 0}}", "no such node is there"),
                        fails("{pods: 'ml/a-*', bound: 2, distinctNodes: 2}", "on 1 nodes: a-0 on n1, a-1 on n1"),
                        holds(
                                "{anyOf: [{pods: 'ml/a-*', bound: 9}, {pods: 'ml/b-*', bound: 1}]}",
                                "1 bound: b-0 on n1"),
                        fails(
                                "{anyOf: [{pods: 'ml/a-*', bound: 9}, {pods: 'ml/e-*', bound: 1}]}",
                                "2 bound: a-0 on n1, a-1 on n1; 0 bound"))
                .map(row -> DynamicTest.dynamicTest(row.entry(), () -> {
                    Verdict verdict = condition(row.entry()).judge(clusters);
                    assertThat(verdict.holds()).as(verdict.seen()).isEqualTo(row.holds());
                    assertThat(verdict.seen()).isEqualTo(row.seen());
                }));
    }

    @Test
    void whatNeverExistedIsPointedOut() {
        assertThat(condition("{pods: 'ml/typo-*', bound: 0}").judge(clusters).missing())
                .containsExactly("no pod ml/typo-* ever existed");
        assertThat(condition("{queue: typo, usage: {cpu: 0}}").judge(clusters).missing())
                .containsExactly("no queue typo ever existed");
        assertThat(condition("{node: typo, usage: {cpu: 0}}").judge(clusters).missing())
                .containsExactly("no node typo ever existed");
        assertThat(condition("{workload: ml/typo, state: Failed}")
                        .judge(clusters)
                        .missing())
                .containsExactly("no workload ml/typo ever existed");
    }
}
