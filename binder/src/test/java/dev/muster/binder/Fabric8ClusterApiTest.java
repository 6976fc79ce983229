package dev.muster.binder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What really goes over the wire. */
class Fabric8ClusterApiTest {

    private record Answer(int code, String body, Map<String, String> headers) {}

    private static final PodState SEEN =
            new PodState(new PodKey("ml", "p-0"), "u-0", "42", "", false, false, "", -1, "", "", JobIdentity.NONE, 0);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Answer answer = new Answer(200, "{}", Map.of());
    private HttpServer server;
    private KubernetesClient client;
    private ClusterApi api;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                        .build())
                .build();
        api = api(Duration.ofSeconds(5));
    }

    private ClusterApi api(Duration timeout) {
        return new Fabric8ClusterApi(
                new HttpTransport(client, 4, timeout), client.getKubernetesSerialization(), "leases");
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void aBindingCarriesUidVersionAndAnnotations() {
        answer = new Answer(201, "{\"kind\":\"Status\",\"status\":\"Success\"}", Map.of());

        api.bind(SEEN, "n-0", Map.of(Marks.DECISION, "d1"));

        assertThat(requests)
                .containsExactly("POST /api/v1/namespaces/ml/pods/p-0/binding application/json "
                        + "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"annotations\":"
                        + "{\"muster.dev/decision\":\"d1\"},\"name\":\"p-0\",\"namespace\":\"ml\","
                        + "\"resourceVersion\":\"42\","
                        + "\"uid\":\"u-0\"},"
                        + "\"target\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n-0\"}}");
    }

    @Test
    void aClaimAndAVolumeAreReadAndChangedInExactlyTheStateThatWasSeen() {
        answer = new Answer(200, """
                {"metadata": {"namespace": "ml", "name": "c", "uid": "cu", "resourceVersion": "7"},
                 "spec": {"volumeName": "pv"}, "status": {"phase": "Pending"}}""", Map.of());
        ClaimState claim = api.claim("ml", "c").orElseThrow();
        answer = new Answer(200, """
                {"metadata": {"name": "pv", "uid": "vu", "resourceVersion": "8"}, "spec": {"nodeAffinity": {"required":
                 {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}}""", Map.of());
        VolumeState volume = api.volume("pv").orElseThrow();

        assertThat(claim).isEqualTo(new ClaimState("ml", "c", "cu", "7", "pv", false, false, false, ""));
        assertThat(volume.isFreeFor(claim)).isTrue();
        assertThat(NodeTerms.match(volume.nodeTerms(), "n", Map.of())).isTrue();
        assertThat(NodeTerms.match(volume.nodeTerms(), "m", Map.of())).isFalse();

        requests.clear();
        api.selectNode(claim, "n-0");
        api.giveVolume(volume, claim);

        assertThat(requests)
                .containsExactly(
                        "PATCH /api/v1/namespaces/ml/persistentvolumeclaims/c application/merge-patch+json "
                                + "{\"metadata\":{\"uid\":\"cu\",\"resourceVersion\":\"7\",\"annotations\":"
                                + "{\"volume.kubernetes.io/selected-node\":\"n-0\"}}}",
                        "PATCH /api/v1/persistentvolumes/pv application/merge-patch+json "
                                + "{\"metadata\":{\"uid\":\"vu\",\"resourceVersion\":\"8\",\"annotations\":"
                                + "{\"pv.kubernetes.io/bound-by-controller\":\"yes\"}},\"spec\":{\"claimRef\":{"
                                + "\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"namespace\":\"ml\","
                                + "\"name\":\"c\",\"uid\":\"cu\",\"resourceVersion\":\"7\"}}}");
    }

    @Test
    void anEvictionCarriesTheUid() {
        api.evict(SEEN.key(), "u-0");

        assertThat(requests.get(0))
                .startsWith("POST /api/v1/namespaces/ml/pods/p-0/eviction application/json ")
                .contains("\"preconditions\":{\"uid\":\"u-0\"}", "\"apiVersion\":\"policy/v1\"");
    }

    @Test
    void aDeletionCarriesTheUid() {
        api.delete(SEEN.key(), "u-0");

        assertThat(requests.get(0))
                .startsWith("DELETE /api/v1/namespaces/ml/pods/p-0 application/json ")
                .contains("\"preconditions\":{\"uid\":\"u-0\"}");
    }

    @Test
    void aFenceIsAMergePatchOfExactlyTheStateThatWasSeen() {
        api.annotate(SEEN, Map.of(Marks.ATTEMPT, "2"));

        assertThat(requests)
                .containsExactly("PATCH /api/v1/namespaces/ml/pods/p-0 application/merge-patch+json "
                        + "{\"metadata\":{\"uid\":\"u-0\",\"resourceVersion\":\"42\","
                        + "\"annotations\":{\"muster.dev/attempt\":\"2\"}}}");
    }

    @Test
    void aConditionIsAStrategicPatchOfTheStatus() {
        api.markUnschedulable(SEEN.key(), "u-0", "no room", "2026-01-01T00:00:00Z");

        assertThat(requests.get(0))
                .startsWith("PATCH /api/v1/namespaces/ml/pods/p-0/status application/strategic-merge-patch+json ")
                .contains("\"type\":\"PodScheduled\"", "\"status\":\"False\"", "\"uid\":\"u-0\"");
    }

    @Test
    void aPodIsReadAndProjected() {
        answer = new Answer(200, """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-0","namespace":"ml","uid":"u-0",
              "resourceVersion":"7"},
             "spec":{"nodeName":"n-0"}}\
            """, Map.of());

        assertThat(api.pod(SEEN.key()).orElseThrow().node()).isEqualTo("n-0");
    }

    @Test
    void whatDoesNotExistIsEmpty() {
        answer = new Answer(404, "{\"kind\":\"Status\",\"message\":\"not found\",\"reason\":\"NotFound\"}", Map.of());

        assertThat(api.pod(SEEN.key())).isEmpty();
        assertThat(api.node("n-0")).isEmpty();
        assertThat(api.podGroupStatus("ml", "train")).isEmpty();
    }

    @Test
    void aPodGroupHasAPhaseOrNone() {
        answer = new Answer(200, "{\"kind\":\"PodGroup\",\"status\":{\"phase\":\"Pending\"}}", Map.of());
        assertThat(api.podGroupStatus("ml", "train")).contains(new PodGroupStatus("Pending", List.of()));

        answer = new Answer(200, "{\"kind\":\"PodGroup\",\"spec\":{}}", Map.of());
        assertThat(api.podGroupStatus("ml", "train")).contains(new PodGroupStatus("", List.of()));

        PodGroupStatus.Condition condition = new PodGroupStatus.Condition(
                "Unschedulable", "True", "t", "1970-01-01T00:00:01Z", "NotEnoughResources", "no room");
        api.setPodGroupStatus("ml", "train", new PodGroupStatus("Inqueue", List.of(condition)));
        assertThat(requests.get(2))
                .isEqualTo("PATCH /apis/scheduling.volcano.sh/v1beta1/namespaces/ml/podgroups/train/status "
                        + "application/merge-patch+json {\"status\":{\"phase\":\"Inqueue\",\"conditions\":"
                        + "[{\"type\":\"Unschedulable\",\"status\":\"True\",\"transitionID\":\"t\","
                        + "\"lastTransitionTime\":\"1970-01-01T00:00:01Z\",\"reason\":\"NotEnoughResources\","
                        + "\"message\":\"no room\"}]}}");
    }

    @Test
    void aRefusalKeepsCodeMessageAndTheWishedPauseAndIsNotTriedAgain() {
        answer = new Answer(
                429,
                "{\"kind\":\"Status\",\"message\":\"Cannot evict pod\",\"reason\":\"TooManyRequests\"}",
                Map.of("Retry-After", "3"));

        ApiException e = catchThrowableOfType(ApiException.class, () -> api.evict(SEEN.key(), "u-0"));

        assertThat(e.code()).isEqualTo(429);
        assertThat(e.reason()).isEqualTo("TooManyRequests");
        assertThat(e).hasMessage("Cannot evict pod");
        assertThat(e.retryAfterMillis()).isEqualTo(3_000);
        assertThat(requests).hasSize(1);
    }

    @Test
    void aProxysAnswerIsItsOwnMessage() {
        answer = new Answer(502, "<html>Bad Gateway</html>", Map.of());

        ApiException e = catchThrowableOfType(ApiException.class, () -> api.bind(SEEN, "n-0", Map.of()));

        assertThat(e.code()).isEqualTo(502);
        assertThat(e.getMessage()).contains("Bad Gateway");
        assertThat(requests).hasSize(1);
    }

    @Test
    void aServerThatIsAwayGivesNoAnswer() {
        server.stop(0);

        ApiException e = catchThrowableOfType(ApiException.class, () -> api.bind(SEEN, "n-0", Map.of()));

        assertThat(e.code()).isEqualTo(ApiException.NO_ANSWER);
    }

    @Test
    void aServerThatIsSilentGivesNoAnswerInTime() {
        answer = null;
        ClusterApi hasty = api(Duration.ofMillis(200));

        ApiException e = catchThrowableOfType(ApiException.class, () -> hasty.bind(SEEN, "n-0", Map.of()));

        assertThat(e.code()).isEqualTo(ApiException.NO_ANSWER);
    }

    @Test
    void aPodIsCreatedInItsNamespace() {
        answer = new Answer(
                201,
                "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p-0\",\"namespace\":\"ml\",\"uid\":\"made\"}}",
                Map.of());

        PodState made = api.create(new PodBuilder()
                .withNewMetadata()
                .withName("p-0")
                .withNamespace("ml")
                .endMetadata()
                .build());

        assertThat(made.uid()).isEqualTo("made");
        assertThat(requests.get(0)).startsWith("POST /api/v1/namespaces/ml/pods application/json ");
    }

    @Test
    void aNameCanNotLeaveItsPlaceInThePath() {
        answer = new Answer(404, "{}", Map.of());

        assertThat(api.pod(new PodKey("ml", "../../secrets/x?y"))).isEmpty();

        assertThat(requests.get(0)).startsWith("GET /api/v1/namespaces/ml/pods/..%2F..%2Fsecrets%2Fx%3Fy");
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + type + " " + body);
        Answer now = answer;
        if (now == null) {
            return;
        }
        now.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = now.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(now.code(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
