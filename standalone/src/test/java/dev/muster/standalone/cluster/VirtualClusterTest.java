package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualClusterTest {

    private static final long START = 1_700_000_000_000L;

    private final VirtualTime time = new VirtualTime(START);
    private final VirtualCluster cluster = cluster(time);

    @Test
    void eventsRunByTimeAndThenInTheOrderInWhichTheyWerePutIn() {
        List<String> ran = new ArrayList<>();
        time.after(Duration.ofMillis(5), () -> ran.add("late"));
        time.execute(() -> {
            ran.add("first");
            time.execute(() -> ran.add("brought about at the same moment"));
        });
        time.execute(() -> ran.add("second"));
        time.after(Duration.ofMillis(5), () -> ran.add("late, too"));
        time.after(Duration.ofMillis(4), () -> ran.add("cancelled")).cancel();

        assertThat(time.runDue()).isTrue();
        assertThat(ran).containsExactly("first", "second", "brought about at the same moment");
        assertThat(time.nextMillis()).isEqualTo(START + 5);

        time.runUntil(START + 5);
        assertThat(ran).endsWith("late", "late, too").hasSize(5);
        assertThat(time.isIdle()).isTrue();
        assertThat(time.nowMillis()).isEqualTo(START + 5);
    }

    @Test
    void aBoundPodRunsForAsLongAsItsAnnotationSaysAndNothingHappensBeforeItsTime() {
        play();
        bind("p", "n");

        time.runUntil(START + 499);
        assertThat(phase("p")).isEqualTo("Pending");
        time.runUntil(START + 500);
        assertThat(phase("p")).isEqualTo("Running");
        time.runUntil(START + 59_999);
        assertThat(phase("p")).isEqualTo("Running");
        time.runUntil(START + 60_000);
        assertThat(phase("p")).isEqualTo("Succeeded");
    }

    @Test
    void aPodThatIsDeletedGoesWhenItsGracePeriodIsOver() {
        play();
        bind("p", "n");
        time.runUntil(START + 1_000);
        VirtualCluster.Answer deleted =
                cluster.request("DELETE", "/api/v1/namespaces/ml/pods/p", "application/json", null);
        assertThat(deleted.successful()).isTrue();

        time.runUntil(START + 30_999);
        assertThat(pod("p").path("metadata").has("deletionTimestamp")).isTrue();
        time.runUntil(START + 31_000);
        assertThat(cluster.store().get(ResourceKinds.PODS, "ml", "p")).isEmpty();
    }

    @Test
    void requestsAreRefusedAsOverHttp() {
        play();
        bind("p", "n");

        assertThat(bind("p", "n").code()).isEqualTo(409);
        assertThat(bind("missing", "n").code()).isEqualTo(404);
        assertThat(cluster.request("GET", "/api/v1/nothing", "application/json", null)
                        .code())
                .isEqualTo(404);
    }

    @Test
    void twoThatSeeTheSameHoldTheSameBytes() {
        VirtualTime otherTime = new VirtualTime(START);
        VirtualCluster other = cluster(otherTime);
        List<String> here = changes(cluster);
        List<String> there = changes(other);
        for (VirtualCluster each : List.of(cluster, other)) {
            play(each);
            bind(each, "p", "n");
            each.time().runUntil(START + 100_000);
        }

        assertThat(here).isEqualTo(there).hasSizeGreaterThan(8);
    }

    private static VirtualCluster cluster(VirtualTime time) {
        return new VirtualCluster(SimulatedClusterOptions.DEFAULT.withName("c1").withCreateNamespaces(true), time);
    }

    private static List<String> changes(VirtualCluster cluster) {
        List<String> changes = new ArrayList<>();
        cluster.store().subscribe(event -> changes.add(event.type() + " " + event.object()));
        return changes;
    }

    private void play() {
        play(cluster);
    }

    private static void play(VirtualCluster cluster) {
        cluster.store().applyYaml("""
                apiVersion: v1
                kind: Node
                metadata: {name: n}
                status:
                  allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p
                  namespace: ml
                  annotations: {muster.dev/runtime: 60s}
                spec:
                  containers:
                  - {name: main, image: none}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {generateName: more-, namespace: ml}
                spec:
                  containers:
                  - {name: main, image: none}
                """);
        cluster.time().runDue();
    }

    private VirtualCluster.Answer bind(String pod, String node) {
        return bind(cluster, pod, node);
    }

    private static VirtualCluster.Answer bind(VirtualCluster cluster, String pod, String node) {
        return cluster.request(
                "POST",
                "/api/v1/namespaces/ml/pods/" + pod + "/binding",
                "application/json",
                "{\"metadata\":{\"name\":\"" + pod + "\"},\"target\":{\"kind\":\"Node\",\"name\":\"" + node + "\"}}");
    }

    private JsonNode pod(String name) {
        return cluster.store().get(ResourceKinds.PODS, "ml", name).orElseThrow();
    }

    private String phase(String name) {
        return Json.text(pod(name), "status", "phase");
    }
}
