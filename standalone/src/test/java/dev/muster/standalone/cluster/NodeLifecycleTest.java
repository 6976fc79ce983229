package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of pods when their node is tainted, not ready, or gone. */
class NodeLifecycleTest {

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              terminationGracePeriodSeconds: 0
              tolerations: [%s]
              containers: [{name: main, image: train, resources: {requests: {cpu: 1}}}]
            """;

    private final JobRig rig = new JobRig();

    @Test
    void aNodeThatIsNotReadyLosesItsPodsAfterFiveMinutesUnlessTheySayOtherwise() {
        rig.apply(POD.formatted("usual", ""));
        rig.apply(POD.formatted("patient", "{key: node.kubernetes.io/not-ready, operator: Exists}"));
        rig.apply(POD.formatted(
                "hasty",
                "{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 10}"));
        rig.at(2);
        rig.cluster.kubelet().setReady("n1", false);
        rig.binding = false;

        rig.at(11);
        assertThat(rig.pods()).hasSize(3);
        rig.at(13);
        assertThat(rig.pods().keySet()).containsExactly("patient", "usual");
        rig.at(301);
        assertThat(rig.pods().keySet()).containsExactly("patient", "usual");
        rig.at(303);
        assertThat(rig.pods().keySet()).containsExactly("patient");
    }

    @Test
    void aNodeThatFlapsLosesNothingSinceEachTimeCountsAnew() {
        rig.apply(POD.formatted("usual", "")).at(2);
        for (int i = 0; i < 4; i++) {
            rig.cluster.kubelet().setReady("n1", false);
            rig.at(250 * (2 * i + 1));
            rig.cluster.kubelet().setReady("n1", true);
            rig.at(250 * (2 * i + 2));
        }
        assertThat(rig.pods()).isEqualTo(Map.of("usual", "Running"));
    }

    @Test
    void aTaintThatNobodyToleratesTakesThePodsAtOnceAndSaysWhy() {
        rig.apply(POD.formatted("usual", "")).at(2);
        rig.binding = false;
        StringBuilder reasons = new StringBuilder();
        rig.cluster
                .store()
                .subscribe(event -> reasons.append(
                        event.kind().equals(ResourceKinds.PODS)
                                ? JobRig.reason(event.object(), "DisruptionTarget")
                                : ""));
        rig.cluster
                .store()
                .edit(
                        ResourceKinds.NODES,
                        "",
                        "n1",
                        node -> Json.child(node, "spec")
                                .putArray("taints")
                                .addObject()
                                .put("key", "repair")
                                .put("effect", "NoExecute"));
        rig.at(3);
        assertThat(rig.pods()).isEmpty();
        assertThat(reasons).contains("DeletionByTaintManager");
    }

    @Test
    void thePodsOfANodeThatIsGoneFailAndGo() {
        rig.apply(POD.formatted("usual", "")).at(2);
        rig.binding = false;
        StringBuilder phases = new StringBuilder();
        rig.cluster
                .store()
                .subscribe(event -> phases.append(Json.text(event.object(), "status", "phase"))
                        .append(' '));
        rig.cluster.store().delete(ResourceKinds.NODES, "", "n1", DeleteOptions.DEFAULT);
        rig.at(3);
        assertThat(rig.pods()).isEmpty();
        assertThat(phases).contains("Failed");
    }

    @Test
    void gpusThatDropOutUnderLoadTakeNothingFromTheirPodsAndRoomFromTheNext() {
        rig.binding = false;
        rig.cluster.store().apply(Manifests.node("g1", 64, 8));
        rig.apply(gpuPod("old", 6)).at(1);
        bind("old");
        rig.at(2);
        gpus(4);
        rig.apply(gpuPod("late", 2)).at(3);
        bind("late");
        rig.at(4);
        assertThat(rig.pods()).isEqualTo(Map.of("old", "Running", "late", "Failed"));
        gpus(8);
        rig.apply(gpuPod("later", 2)).at(5);
        bind("later");
        rig.at(6);
        assertThat(rig.pods()).containsEntry("later", "Running");
    }

    @Test
    void aRuntimeClassAddsItsOverheadItsSelectorAndItsTolerations() {
        rig.apply("""
                apiVersion: node.k8s.io/v1
                kind: RuntimeClass
                metadata: {name: boxed}
                handler: boxed
                overhead: {podFixed: {cpu: 250m}}
                scheduling: {nodeSelector: {boxes: "yes"}, tolerations: [{key: boxes, operator: Exists}]}
                """);
        rig.binding = false;
        rig.apply(POD.formatted("p", "").replace("spec:", "spec:\n  runtimeClassName: boxed"))
                .at(1);
        JsonNode spec = rig.pod("p").path("spec");
        assertThat(Json.text(spec, "overhead", "cpu")).isEqualTo("250m");
        assertThat(Json.text(spec, "nodeSelector", "boxes")).isEqualTo("yes");
        assertThat(spec.path("tolerations")).hasSize(3);
        assertThat(PodResources.requests(rig.pod("p"))).containsEntry("cpu", 1250L);
    }

    @Test
    void theServerWritesWhatLabelKeysMeanIntoTheSelectorsOfAffinityTerms() {
        rig.binding = false;
        String affinity = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                + " zone, matchLabelKeys: [job], mismatchLabelKeys: [run, none], labelSelector: {}}]}}";
        rig.apply(POD.formatted("p", "")
                .replace("name: p,", "name: p, labels: {job: j, run: r},")
                .replace("spec:", "spec:\n  " + affinity));
        JsonNode selector = Json.at(rig.pod("p"), "spec", "affinity", "podAntiAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution")
                .path(0)
                .path("labelSelector");
        assertThat(selector)
                .hasToString("{\"matchExpressions\":[{\"key\":\"job\",\"operator\":\"In\",\"values\":[\"j\"]},"
                        + "{\"key\":\"run\",\"operator\":\"NotIn\",\"values\":[\"r\"]}]}");
    }

    private void gpus(int count) {
        rig.cluster
                .store()
                .edit(
                        ResourceKinds.NODES,
                        "",
                        "g1",
                        node -> Json.child(Json.child(node, "status"), "allocatable")
                                .put("nvidia.com/gpu", Integer.toString(count)));
    }

    private void bind(String pod) {
        rig.cluster.request(
                "POST",
                "/api/v1/namespaces/default/pods/" + pod + "/binding",
                "application/json",
                "{\"metadata\":{\"name\":\"" + pod + "\"},\"target\":{\"name\":\"g1\"}}");
    }

    private static String gpuPod(String name, int gpus) {
        return POD.formatted(name, "").replace("requests: {cpu: 1}", "limits: {cpu: 1, nvidia.com/gpu: " + gpus + "}");
    }
}
