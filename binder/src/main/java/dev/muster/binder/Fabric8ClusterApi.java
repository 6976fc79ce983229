package dev.muster.binder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls with fabric8's model: raw requests, because the DSL can carry neither uid and resourceVersion of a Binding
 * nor the preconditions of an eviction, and because its built-in retries would hide lost replies and outlive deadlines.
 */
final class Fabric8ClusterApi implements ClusterApi {

    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    private static final int NOT_FOUND = 404;
    private static final int LONGEST_MESSAGE = 1024;

    private final ApiTransport transport;
    private final KubernetesSerialization json;
    private final String seals;

    /** @param leaseNamespace where seals lie */
    Fabric8ClusterApi(ApiTransport transport, KubernetesSerialization json, String leaseNamespace) {
        this.transport = transport;
        this.json = json;
        this.seals = "/apis/coordination.k8s.io/v1/namespaces/" + segment(leaseNamespace) + "/leases";
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
        Map<String, Object> metadata = exactly(seen.uid(), seen.resourceVersion());
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
    public Optional<ClaimState> claim(String namespace, String name) {
        return read(claimPath(namespace, name)).map(body -> Projection.of(parse(body, PersistentVolumeClaim.class)));
    }

    @Override
    public Optional<VolumeState> volume(String name) {
        return read(volumePath(name)).map(body -> Projection.of(parse(body, PersistentVolume.class)));
    }

    @Override
    public Optional<Map<String, String>> nodeLabels(String name) {
        return read("/api/v1/nodes/" + segment(name)).map(body -> {
            Map<String, String> labels = parse(body, Node.class).getMetadata().getLabels();
            return labels == null ? Map.of() : labels;
        });
    }

    @Override
    public void selectNode(ClaimState seen, String node) {
        Map<String, Object> metadata = exactly(seen.uid(), seen.resourceVersion());
        metadata.put("annotations", Map.of(Marks.SELECTED_NODE, node));
        send("PATCH", claimPath(seen.namespace(), seen.name()), MERGE_PATCH, Map.of("metadata", metadata));
    }

    /** As kube-scheduler does it ({@code volume.GetBindVolumeToClaim}): the mark lets the controller undo it. */
    @Override
    public void giveVolume(VolumeState seen, ClaimState claim) {
        Map<String, Object> metadata = exactly(seen.uid(), seen.resourceVersion());
        if (seen.claim().isEmpty()) {
            metadata.put("annotations", Map.of(Marks.BOUND_BY_CONTROLLER, "yes"));
        }
        Map<String, Object> ref = new LinkedHashMap<>();
        ref.put("apiVersion", "v1");
        ref.put("kind", "PersistentVolumeClaim");
        ref.put("namespace", claim.namespace());
        ref.put("name", claim.name());
        ref.put("uid", claim.uid());
        ref.put("resourceVersion", claim.resourceVersion());
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", metadata);
        patch.put("spec", Map.of("claimRef", ref));
        send("PATCH", volumePath(seen.name()), MERGE_PATCH, patch);
    }

    @Override
    public Optional<Seal> seal(String decisionId) {
        return read(seals + "/" + segment(sealName(decisionId))).map(body -> Projection.seal(parse(body, Lease.class)));
    }

    /** A Lease that nobody holds or renews: of the kinds there are it is the smallest, and made for what processes agree on. */
    @Override
    public void seal(String decisionId, Seal seal) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withName(sealName(decisionId))
                .addToLabels("app.kubernetes.io/managed-by", "muster")
                .addToLabels(Marks.SEAL, seal.mark())
                .addToAnnotations(Marks.FENCED_BECAUSE, seal.because().name())
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(decisionId)
                .endSpec()
                .build();
        send("POST", seals, JSON, lease);
    }

    @Override
    public List<SealSweeper.Lying> seals() {
        String body = send("GET", seals + "?labelSelector=" + segment(Marks.SEAL), JSON, null);
        return parse(body, LeaseList.class).getItems().stream()
                .map(lease -> new SealSweeper.Lying(
                        lease.getMetadata().getName(),
                        Instant.parse(lease.getMetadata().getCreationTimestamp())))
                .toList();
    }

    @Override
    public void deleteSeal(String name) {
        try {
            send("DELETE", seals + "/" + segment(name), JSON, null);
        } catch (ApiException e) {
            if (e.code() != NOT_FOUND) {
                throw e;
            }
        }
    }

    /** A decision's id is domain:sequence:ordinal. */
    private static String sealName(String decisionId) {
        return "muster-seal-" + decisionId.replace(':', '-');
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
    public Optional<PodGroupStatus> podGroupStatus(String namespace, String name) {
        return read(podGroup(namespace, name)).map(body -> {
            GenericKubernetesResource object = parse(body, GenericKubernetesResource.class);
            List<PodGroupStatus.Condition> conditions = new ArrayList<>();
            if (object.get("status", "conditions") instanceof List<?> all) {
                for (Object each : all) {
                    if (each instanceof Map<?, ?> condition) {
                        conditions.add(readCondition(condition));
                    }
                }
            }
            return new PodGroupStatus(text(object.get("status", "phase")), conditions);
        });
    }

    private static PodGroupStatus.Condition readCondition(Map<?, ?> from) {
        return new PodGroupStatus.Condition(
                text(from.get("type")),
                text(from.get("status")),
                text(from.get("transitionID")),
                text(from.get("lastTransitionTime")),
                text(from.get("reason")),
                text(from.get("message")));
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }

    @Override
    public void setPodGroupStatus(String namespace, String name, PodGroupStatus status) {
        List<Map<String, Object>> conditions = new ArrayList<>();
        for (PodGroupStatus.Condition each : status.conditions()) {
            Map<String, Object> condition = new LinkedHashMap<>();
            condition.put("type", each.type());
            condition.put("status", each.status());
            condition.put("transitionID", each.transitionId());
            condition.put("lastTransitionTime", each.time());
            condition.put("reason", each.reason());
            condition.put("message", each.message());
            conditions.add(condition);
        }
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("phase", status.phase());
        patch.put("conditions", conditions);
        send("PATCH", podGroup(namespace, name) + "/status", MERGE_PATCH, Map.of("status", patch));
    }

    /** Metadata of a patch that only this state of this object takes. */
    private static Map<String, Object> exactly(String uid, String resourceVersion) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("resourceVersion", resourceVersion);
        return metadata;
    }

    private static String claimPath(String namespace, String name) {
        return "/api/v1/namespaces/" + segment(namespace) + "/persistentvolumeclaims/" + segment(name);
    }

    private static String volumePath(String name) {
        return "/api/v1/persistentvolumes/" + segment(name);
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
        ApiTransport.Answer answer =
                answer(new ApiTransport.Request(method, path, contentType, body == null ? null : json.asJson(body)));
        if (answer.code() >= 200 && answer.code() < 300) {
            return answer.body();
        }
        throw refusal(answer);
    }

    private ApiTransport.Answer answer(ApiTransport.Request request) {
        try {
            return transport.send(request);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException();
        } catch (IOException e) {
            throw new ApiException(e.getCause() == null ? e : e.getCause());
        }
    }

    private ApiException refusal(ApiTransport.Answer answer) {
        String reason = "";
        String message = answer.body() == null ? "" : answer.body();
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
                answer.code(),
                reason,
                text.isBlank() ? "HTTP " + answer.code() : text,
                retryAfterMillis(answer.retryAfter()));
    }

    private static long retryAfterMillis(String seconds) {
        return seconds.strip().matches("[0-9]{1,4}") ? Long.parseLong(seconds.strip()) * 1000 : 0;
    }
}
