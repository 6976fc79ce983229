package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {

    private static final class Seen implements ResourceEventHandler<Pod> {
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void onAdd(Pod pod) {
            events.add("add " + pod.getMetadata().getName());
        }

        @Override
        public void onUpdate(Pod old, Pod pod) {
            events.add("update " + pod.getMetadata().getName());
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            events.add("delete " + pod.getMetadata().getName());
        }
    }

    private SimulatedCluster cluster;
    private KubernetesClient client;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void start() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT
                .withBookmarkInterval(Duration.ofMillis(50))
                .withHistorySize(100));
        client = cluster.client();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void anInformerSeesAdditionsUpdatesAndDeletions() {
        Manifests.create(client, Manifests.pod("before", 1));
        Seen seen = new Seen();
        try (var informer = client.pods().inAnyNamespace().inform(seen)) {
            await().until(() -> seen.events.contains("add before"));
            Manifests.create(client, Manifests.pod("after", 1));
            annotate("after", "x");
            client.pods().inNamespace("default").withName("after").delete();

            await().untilAsserted(() ->
                    assertThat(seen.events).containsExactly("add before", "add after", "update after", "delete after"));
            assertThat(informer.isWatching()).isTrue();
        }
    }

    @Test
    void anInformerRecoversWhenItsWatchIsCutAndTheHistoryIsLost() {
        Seen seen = new Seen();
        try (var informer = client.pods().inAnyNamespace().inform(seen)) {
            Manifests.create(client, Manifests.pod("kept", 1));
            Manifests.create(client, Manifests.pod("lost", 1));
            await().until(() -> seen.events.size() == 2);

            // The gap: a deletion and an addition that no watch will ever tell.
            cluster.faults().add("watch", "pods", "*", 1, new Faults.Action.Delay(Duration.ofMillis(300)));
            cluster.faults().closeWatches(ResourceKinds.PODS);
            cluster.store().delete(ResourceKinds.PODS, "default", "lost", DeleteOptions.NOW);
            cluster.store().apply(Manifests.pod("new", 1));
            cluster.faults().compact(ResourceKinds.PODS);

            await().untilAsserted(() -> assertThat(seen.events).contains("delete lost", "add new"));
            Manifests.create(client, Manifests.pod("later", 1));
            await().untilAsserted(() -> assertThat(seen.events).contains("add later"));
            assertThat(informer.getStore().list()).hasSize(3);
        }
    }

    @Test
    void anInformerRecoversFrom410AsHttpStatusAndAsEvent() {
        Seen seen = new Seen();
        try (SharedIndexInformer<Pod> informer = client.pods().inAnyNamespace().inform(seen)) {
            for (boolean asHttpStatus : new boolean[] {true, false}) {
                Faults.Rule rule =
                        cluster.faults().add("watch", "pods", "*", 1, new Faults.Action.Expire(asHttpStatus));
                cluster.faults().closeWatches(ResourceKinds.PODS);
                await().until(() -> rule.hits() == 1);
                Manifests.create(client, Manifests.pod("after-" + asHttpStatus, 1));
                await().untilAsserted(() -> assertThat(seen.events).contains("add after-" + asHttpStatus));
            }
            assertThat(informer.isRunning()).isTrue();
        }
    }

    @Test
    void anInformerFallsBackToHttpWhereTheWebSocketIsRefused() {
        // 503 at the upgrade: the client goes on with a plain request.
        cluster.faults().add("watch", "pods", "*", 1, new Faults.Action.Refuse(503, "ServiceUnavailable", "no"));
        Seen seen = new Seen();
        try (var informer = client.pods().inAnyNamespace().inform(seen)) {
            Manifests.create(client, Manifests.pod("a", 1));
            await().untilAsserted(() -> assertThat(seen.events).contains("add a"));
            assertThat(informer.isRunning()).isTrue();
        }
    }

    @Test
    void aSilentWatchSaysNothingUntilItIsHealed() {
        Seen seen = new Seen();
        try (var informer = client.pods().inAnyNamespace().inform(seen)) {
            cluster.faults().silenceWatches(ResourceKinds.PODS, true);
            Manifests.create(client, Manifests.pod("a", 1));
            await().during(Duration.ofMillis(300)).until(() -> seen.events.isEmpty());
            assertThat(informer.isWatching()).isTrue();

            cluster.faults().silenceWatches(ResourceKinds.PODS, false);

            await().untilAsserted(() -> assertThat(seen.events).containsExactly("add a"));
        }
    }

    @Test
    void aStreamedWatchSendsWhatIsThereAndThenBookmarks() throws Exception {
        Manifests.create(client, Manifests.pod("a", 1));
        try (BufferedReader events = watch("/api/v1/pods?watch=true&allowWatchBookmarks=true")) {
            JsonNode added = next(events);
            JsonNode bookmark = next(events);

            assertThat(added.path("type").asText()).isEqualTo("ADDED");
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(Json.text(bookmark, "object", "kind")).isEqualTo("Pod");
            assertThat(Json.text(bookmark, "object", "metadata", "resourceVersion"))
                    .isEqualTo(Long.toString(cluster.store().resourceVersion()));
        }
    }

    @Test
    void initialEventsEndWithAMarkedBookmark() throws Exception {
        Manifests.create(client, Manifests.pod("a", 1));
        try (BufferedReader events = watch("/api/v1/pods?watch=true&allowWatchBookmarks=true&sendInitialEvents=true"
                + "&resourceVersionMatch=NotOlderThan")) {
            assertThat(next(events).path("type").asText()).isEqualTo("ADDED");
            assertThat(Json.text(next(events), "object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
        }
    }

    @Test
    void anObjectThatLeavesTheSelectionIsDeletedForTheWatch() throws Exception {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        String from = pod.getMetadata().getResourceVersion();
        try (BufferedReader events = watch("/api/v1/namespaces/default/pods?watch=true&fieldSelector=spec.nodeName%3D"
                + "&labelSelector=app%20in%20(a,b)&resourceVersion=" + from)) {
            annotate("a", "x");
            Manifests.bind(client, Manifests.get(client, "a"), "n1");

            assertThat(next(events).path("type").asText()).isEqualTo("MODIFIED");
            JsonNode left = next(events);
            assertThat(left.path("type").asText()).isEqualTo("DELETED");
            assertThat(Json.text(left, "object", "spec", "nodeName")).isEmpty();
            assertThat(Json.text(left, "object", "metadata", "resourceVersion"))
                    .isEqualTo(Manifests.get(client, "a").getMetadata().getResourceVersion());
        }
    }

    @Test
    void aWatchFromAVersionBeyondTheHistoryGetsAnErrorEvent() throws Exception {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        for (int i = 0; i <= 100; i++) {
            String value = Integer.toString(i);
            cluster.store()
                    .edit(
                            ResourceKinds.PODS,
                            "default",
                            "a",
                            each -> each.withObject("/metadata/annotations").put("x", value));
        }
        String from = pod.getMetadata().getResourceVersion();
        try (BufferedReader events = watch("/api/v1/pods?watch=true&resourceVersion=" + from)) {
            JsonNode error = next(events);
            assertThat(error.path("type").asText()).isEqualTo("ERROR");
            assertThat(Json.at(error, "object", "code").asInt()).isEqualTo(410);
            assertThat(events.readLine()).isNull();
        }
    }

    @Test
    void aWatchEndsWhenItsTimeIsUp() throws Exception {
        try (BufferedReader events = watch("/api/v1/pods?watch=true&timeoutSeconds=1")) {
            assertThat(events.readLine()).isNull();
        }
    }

    private void annotate(String name, String value) {
        client.pods().inNamespace("default").withName(name).edit(pod -> {
            pod.getMetadata().setAnnotations(Map.of("x", value));
            return pod;
        });
    }

    private BufferedReader watch(String path) throws IOException, InterruptedException {
        HttpResponse<java.io.InputStream> response = http.send(
                HttpRequest.newBuilder(URI.create(cluster.url() + path)).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), java.nio.charset.StandardCharsets.UTF_8));
    }

    private static JsonNode next(BufferedReader events) throws IOException {
        return Json.MAPPER.readTree(events.readLine());
    }
}
