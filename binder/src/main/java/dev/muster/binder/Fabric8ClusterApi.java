package dev.muster.binder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The calls over fabric8's HTTP client: raw requests, because the DSL can carry neither uid and resourceVersion of a
 * Binding nor the preconditions of an eviction, and because its built-in retries would hide lost replies and outlive
 * deadlines.
 */
final class Fabric8ClusterApi implements ClusterApi {

    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    private static final int NOT_FOUND = 404;
    private static final int LONGEST_MESSAGE = 1024;

    private final HttpClient http;
    private final KubernetesSerialization json;
    private final String server;
    private final Semaphore permits;
    private final Duration timeout;

    /** At most {@code concurrency} calls at once; each ends after {@code timeout}. */
    Fabric8ClusterApi(KubernetesClient client, int concurrency, Duration timeout) {
        var once = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                .build();
        this.http = client.newClient(once).getHttpClient();
        this.json = client.getKubernetesSerialization();
        String url = client.getMasterUrl().toString();
        this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        // Fair: gangs that came first end first, instead of all of them late.
        this.permits = new Semaphore(concurrency, true);
        this.timeout = timeout;
    }

    @Override
    public Optional<PodState> pod(PodKey key) {
        return read(path(key)).map(body -> Projection.of(parse(body, Pod.class)));
    }

    @Override
    public Optional<NodeState> node(String name) {
        return read("/api/v1/nodes/" + segment(name)).map(body -> Projection.of(parse(body, Node.class)));
    }

    @Override
    public void bind(PodState seen, String node, Map<String, String> annotations) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(seen.key().namespace())
                .withName(seen.key().name())
                .withUid(seen.uid())
                .withResourceVersion(seen.resourceVersion())
                .withAnnotations(annotations)
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        send("POST", path(seen.key()) + "/binding", JSON, binding);
    }

    @Override
    public PodState create(Pod pod) {
        String namespace = segment(pod.getMetadata().getNamespace());
        String body = send("POST", "/api/v1/namespaces/" + namespace + "/pods", JSON, pod);
        return Projection.of(parse(body, Pod.class));
    }

    @Override
    public void annotate(PodState seen, Map<String, String> annotations) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", seen.uid());
        metadata.put("resourceVersion", seen.resourceVersion());
        metadata.put("annotations", annotations);
        send("PATCH", path(seen.key()), MERGE_PATCH, Map.of("metadata", metadata));
    }

    @Override
    public void evict(PodKey key, String uid) {
        Eviction eviction = new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .endMetadata()
                .withDeleteOptions(only(uid))
                .build();
        send("POST", path(key) + "/eviction", JSON, eviction);
    }

    @Override
    public void delete(PodKey key, String uid) {
        send("DELETE", path(key), JSON, only(uid));
    }

    @Override
    public void markUnschedulable(PodKey key, String uid, String message, String time) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", "PodScheduled");
        condition.put("status", "False");
        condition.put("reason", "Unschedulable");
        condition.put("message", message);
        condition.put("lastTransitionTime", time);
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", Map.of("uid", uid));
        patch.put("status", Map.of("conditions", List.of(condition)));
        send("PATCH", path(key) + "/status", STRATEGIC_PATCH, patch);
    }

    @Override
    public void createEvent(Event event) {
        send("POST", "/api/v1/namespaces/" + segment(event.getMetadata().getNamespace()) + "/events", JSON, event);
    }

    @Override
    public Optional<String> podGroupPhase(String namespace, String name) {
        return read(podGroup(namespace, name)).map(body -> {
            Object phase = parse(body, GenericKubernetesResource.class).get("status", "phase");
            return phase == null ? "" : phase.toString();
        });
    }

    @Override
    public void setPodGroupPhase(String namespace, String name, String phase) {
        send("PATCH", podGroup(namespace, name) + "/status", MERGE_PATCH, Map.of("status", Map.of("phase", phase)));
    }

    private static DeleteOptions only(String uid) {
        return new DeleteOptionsBuilder()
                .withApiVersion("v1")
                .withKind("DeleteOptions")
                .withNewPreconditions()
                .withUid(uid)
                .endPreconditions()
                .build();
    }

    private static String path(PodKey key) {
        return "/api/v1/namespaces/" + segment(key.namespace()) + "/pods/" + segment(key.name());
    }

    private static String podGroup(String namespace, String name) {
        return "/apis/scheduling.volcano.sh/v1beta1/namespaces/" + segment(namespace) + "/podgroups/" + segment(name);
    }

    private static String segment(String name) {
        return URLEncoder.encode(name, UTF_8);
    }

    private Optional<String> read(String path) {
        try {
            return Optional.of(send("GET", path, JSON, null));
        } catch (ApiException e) {
            if (e.code() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> T parse(String body, Class<T> type) {
        try {
            return json.unmarshal(body, type);
        } catch (RuntimeException e) {
            throw new ApiException(e);
        }
    }

    /** One request, one answer; no answer in time is an {@link ApiException} without a code. */
    private String send(String method, String path, String contentType, Object body) {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(server + path)
                .header("Accept", JSON)
                .method(method, contentType, body == null ? null : json.asJson(body))
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
        HttpResponse<String> response = exchange(request);
        if (response.isSuccessful()) {
            return response.body();
        }
        throw refusal(response);
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            permits.acquire();
            try {
                // The request's own timeout comes first; the second one is for an HTTP client that loses track of a
                // request.
                return http.sendAsync(request, String.class).get(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS);
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException();
        } catch (ExecutionException e) {
            throw new ApiException(e.getCause());
        } catch (TimeoutException e) {
            throw new ApiException(e);
        }
    }

    private ApiException refusal(HttpResponse<String> response) {
        String reason = "";
        String message = response.body() == null ? "" : response.body();
        try {
            Status status = json.unmarshal(message, Status.class);
            if (status != null && status.getMessage() != null) {
                message = status.getMessage();
                reason = status.getReason() == null ? "" : status.getReason();
            }
        } catch (RuntimeException e) {
            // Proxies answer in HTML or plain text: the body itself is the message then.
        }
        String text = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message;
        return new ApiException(
                response.code(), reason, text.isBlank() ? "HTTP " + response.code() : text, retryAfter(response));
    }

    private static long retryAfter(HttpResponse<String> response) {
        String seconds = response.header("Retry-After");
        if (seconds == null || !seconds.strip().matches("[0-9]{1,4}")) {
            return 0;
        }
        return Long.parseLong(seconds.strip()) * 1000;
    }
}
