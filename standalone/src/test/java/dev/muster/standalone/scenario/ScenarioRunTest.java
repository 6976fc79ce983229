package dev.muster.standalone.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.standalone.scenario.read.ScenarioFormatException;
import dev.muster.standalone.scenario.read.ScenarioReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioRunTest {
    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: '8', memory: 8Gi, pods: '10', nvidia.com/gpu: '2'}}
            ---
            """;

    private static String pod(String annotations, String spec) {
        return "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml, annotations: {" + annotations + "}}\n"
                + "spec: {schedulerName: muster, " + spec
                + "containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: '2'}}}]}\n---\n";
    }

    private static Scenario scenario(String text) {
        return ScenarioReader.read(List.of(new ScenarioReader.Input("f.yaml", text.getBytes(StandardCharsets.UTF_8))))
                .getFirst();
    }

    @Test
    void twoRunsTellTheSameToTheByte() {
        for (Path file : ScenarioFiles.all().subList(0, 5)) {
            Scenario scenario = ScenarioFiles.read(file);

            assertThat(ReportJson.of(List.of(ScenarioRun.of(scenario, true))).toString())
                    .isEqualTo(ReportJson.of(List.of(ScenarioRun.of(scenario, true)))
                            .toString());
        }
    }

    @Test
    void withoutAnEndARunGoesOnUntilNothingMoreHappens() {
        Report report = ScenarioRun.of(scenario(NODE + pod("muster.dev/at: 1m, muster.dev/runtime: 48h", "")), false);

        assertThat(report.endedAtMillis()).isEqualTo(48L * 3_600_000 + 60_000);
        assertThat(report.notes()).isEmpty();
    }

    @Test
    void whatTriesAgainForEverIsStoppedAndSaidSo() {
        Report report = ScenarioRun.of(scenario(NODE + pod("muster.dev/bind-error: never", "")), false);

        assertThat(report.notes()).anyMatch(note -> note.startsWith("stopped while something still happens"));
        assertThat(report.good()).isTrue();
    }

    @Test
    void aChangeThatKubernetesForbidsIsRefusedWithItsPlace() {
        String changed = pod("muster.dev/at: 30s", "priorityClassName: system-node-critical, ");

        assertThatThrownBy(() -> ScenarioRun.of(scenario(NODE + pod("", "") + changed), false))
                .isInstanceOf(ScenarioFormatException.class)
                .hasMessageStartingWith(
                        "f.yaml:11: document 3 (Pod ml/a): refused at 30s: Pod \"a\" is invalid: spec: Forbidden");
    }

    @Test
    void stepsAfterTheEndAndDeletionsOfWhatIsNotThereAreNoted() {
        String twice = pod("muster.dev/delete-at: 10s", "") + pod("muster.dev/at: 5s, muster.dev/delete-at: 20s", "");
        String late = pod("muster.dev/at: 2m", "").replace("name: a,", "name: late,");

        Report report = ScenarioRun.of(
                scenario(NODE + twice.replace("spec: {", "spec: {terminationGracePeriodSeconds: 0, ") + late)
                        .withUntil(60_000),
                false);

        assertThat(report.notes())
                .containsExactly(
                        "Pod ml/a was to be deleted at 20s, but was not there",
                        "1 step after the end of the run (1m) were not carried out, the first Pod ml/late at 2m");
    }

    @Test
    void fieldsWhoseRulesComeLaterAreNamed() {
        String claims = pod("", "resourceClaims: [{name: gpu, resourceClaimName: gpu}], ");

        assertThat(ScenarioRun.of(scenario(NODE + claims), false).notes())
                .containsExactly("not used yet: Pod spec.resourceClaims (dynamic resource allocation) of Pod ml/a");
    }

    @Test
    void whatKubectlShowsOfARunningClusterCanBeRead() {
        String shown = """
                {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "abc", "resourceVersion": "7",
                  "creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [{"manager": "kubelet", "operation": "Update",
                  "apiVersion": "v1", "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}}]},
                 "spec": {"podCIDR": "10.0.0.0/24"},
                 "status": {"addresses": [{"type": "Hostname", "address": "n1"}],
                  "allocatable": {"cpu": "3920m", "memory": "12Gi", "pods": "110"},
                  "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}]}},
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "ml", "uid": "u1",
                  "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u2", "controller": true}]},
                 "spec": {"nodeName": "n1", "schedulerName": "default-scheduler",
                  "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]},
                 "status": {"phase": "Running"}}]}
                """;

        Report report = ScenarioRun.of(scenario(shown), false);

        assertThat(report.clusters().pods())
                .allMatch(pod -> pod.bound() && pod.node().equals("n1"))
                .hasSize(1);
    }

    @Test
    void jobsWithAQueueOfKueueAreOurs() {
        Report report = ScenarioRun.of(scenario(NODE + """
                                apiVersion: batch/v1
                                kind: Job
                                metadata: {name: j, namespace: ml, labels: {kueue.x-k8s.io/queue-name: work}}
                                spec:
                                  template:
                                    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
                                ---
                                apiVersion: kueue.x-k8s.io/v1beta1
                                kind: ClusterQueue
                                metadata: {name: all}
                                spec: {namespaceSelector: {}}
                                ---
                                apiVersion: kueue.x-k8s.io/v1beta1
                                kind: LocalQueue
                                metadata: {name: work, namespace: ml}
                                spec: {clusterQueue: all}
                                """), false);

        assertThat(report.clusters().pods())
                .allMatch(pod -> pod.node().equals("n1"))
                .hasSize(1);
    }
}
