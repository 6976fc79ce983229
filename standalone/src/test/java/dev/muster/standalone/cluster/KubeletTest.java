package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeletTest {

    private SimulatedCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT.withSpeed(50));
        client = cluster.client();
        cluster.store().apply(Manifests.node("n1", 8, 2));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aBoundPodRunsForItsTimeAndSucceeds() {
        run("a", 1, 0, Map.of("muster.dev/runtime", "20s"));

        awaitPhase("a", "Running");
        awaitPhase("a", "Succeeded");
        assertThat(exitCode("a")).isZero();
    }

    @Test
    void aPodThatShouldFailFailsWithItsExitCode() {
        run(
                "a",
                1,
                0,
                Map.of("muster.dev/runtime", "1h", "muster.dev/fail-after", "5s", "muster.dev/exit-code", "137"));

        awaitPhase("a", "Failed");
        assertThat(exitCode("a")).isEqualTo(137);
    }

    @Test
    void aPodCanBeEndedAtOnce() {
        run("a", 1, 0, Map.of());
        awaitPhase("a", "Running");

        cluster.kubelet().endPod("default", "a");

        awaitPhase("a", "Succeeded");
    }

    @Test
    void aPodTooManyIsTurnedAwayAndCounted() {
        run("a", 5, 0, Map.of());
        run("b", 5, 0, Map.of());

        awaitPhase("b", "Failed");
        awaitPhase("a", "Running");
        JsonNode status = pod("b").path("status");
        assertThat(status.path("reason").asText()).isEqualTo("OutOfcpu");
        assertThat(status.path("message").asText()).contains("requested: 5000, used: 5000, capacity: 8000");
        assertThat(cluster.counters().violations()).isEqualTo(1);
    }

    @Test
    void aFinishedPodGivesItsRoomBack() {
        run("a", 8, 2, Map.of());
        awaitPhase("a", "Running");
        cluster.kubelet().endPod("default", "a");
        awaitPhase("a", "Succeeded");

        run("b", 8, 2, Map.of());

        awaitPhase("b", "Running");
        assertThat(cluster.counters().violations()).isZero();
    }

    @Test
    void aDeletedPodHoldsItsRoomUntilItsGraceIsOver() {
        Pod pod = Manifests.pod("a", 8);
        pod.getSpec().setTerminationGracePeriodSeconds(36_000L);
        Manifests.bind(client, Manifests.create(client, pod), "n1");
        awaitPhase("a", "Running");
        client.pods().inNamespace("default").withName("a").delete();

        run("early", 8, 0, Map.of());
        awaitPhase("early", "Failed");
        assertThat(pod("a").path("metadata").has("deletionTimestamp")).isTrue();

        // A second deletion may shorten the grace period.
        client.pods().inNamespace("default").withName("a").withGracePeriod(5).delete();
        await().until(() -> Manifests.get(client, "a") == null);
        run("late", 8, 0, Map.of());
        awaitPhase("late", "Running");
    }

    @Test
    void aForcedDeletionDoesNotWait() {
        run("a", 8, 0, Map.of());
        awaitPhase("a", "Running");

        client.pods().inNamespace("default").withName("a").withGracePeriod(0).delete();

        assertThat(Manifests.get(client, "a")).isNull();
    }

    @Test
    void sharesOfADeviceAddUpToOneAtMost() {
        Map<String, String> half = Map.of("muster.dev/gpu-fraction", "0.5", "muster.dev/gpu-devices", "1");
        run("a", 1, 0, half);
        run("b", 1, 0, half);
        awaitPhase("a", "Running");
        awaitPhase("b", "Running");
        assertThat(cluster.counters().violations()).isZero();

        run("c", 1, 0, half);
        run("d", 1, 1, Map.of("muster.dev/gpu-devices", "1"));
        run("e", 1, 0, Map.of("muster.dev/gpu-fraction", "0.1", "muster.dev/gpu-devices", "2"));

        for (String refused : List.of("c", "d", "e")) {
            awaitPhase(refused, "Failed");
            assertThat(pod(refused).path("status").path("reason").asText()).isEqualTo("UnexpectedAdmissionError");
        }
        assertThat(cluster.counters().violations()).isEqualTo(3);
        run("f", 1, 1, Map.of());
        awaitPhase("f", "Running");
    }

    @Test
    void aPodOnTheWrongNodeIsTurnedAway() {
        Pod pod = Manifests.pod("a", 1);
        pod.getSpec().setNodeSelector(Map.of("zone", "z1"));
        Manifests.bind(client, Manifests.create(client, pod), "n1");

        awaitPhase("a", "Failed");
        assertThat(pod("a").path("status").path("reason").asText()).isEqualTo("NodeAffinity");
    }

    @Test
    void aPodBoundBeforeItsNodeCameRunsWhenItCame() {
        Manifests.bind(client, Manifests.create(client, Manifests.pod("a", 1)), "n2");

        cluster.store().apply(Manifests.node("n2", 8, 0));

        awaitPhase("a", "Running");
    }

    @Test
    void aNodeThatIsNotReadySaysSoAndIsTainted() {
        await().until(() -> ready("n1").equals("True"));

        cluster.kubelet().setReady("n1", false);

        assertThat(ready("n1")).isEqualTo("False");
        await().until(() -> client.nodes().withName("n1").get().getSpec().getTaints().stream()
                .anyMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready")));
        cluster.kubelet().setReady("n1", true);
        await().until(() ->
                client.nodes().withName("n1").get().getSpec().getTaints().isEmpty());
    }

    @Test
    void thePodsOfARemovedNodeAreRemoved() {
        run("a", 1, 0, Map.of());
        awaitPhase("a", "Running");

        client.nodes().withName("n1").delete();

        await().until(() -> Manifests.get(client, "a") == null);
    }

    private void run(String name, int cpus, int gpus, Map<String, String> annotations) {
        Manifests.bind(client, Manifests.create(client, Manifests.pod(name, cpus, gpus, annotations)), "n1");
    }

    private void awaitPhase(String name, String phase) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(Json.text(pod(name), "status", "phase")).isEqualTo(phase));
    }

    private JsonNode pod(String name) {
        return cluster.store().get(ResourceKinds.PODS, "default", name).orElseThrow();
    }

    private int exitCode(String name) {
        return Manifests.get(client, name)
                .getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getTerminated()
                .getExitCode();
    }

    private String ready(String node) {
        return client.nodes().withName(node).get().getStatus().getConditions().stream()
                .filter(each -> each.getType().equals("Ready"))
                .map(each -> each.getStatus())
                .findFirst()
                .orElse("");
    }
}
