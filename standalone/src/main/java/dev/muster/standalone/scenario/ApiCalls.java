package dev.muster.standalone.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What users do to a cluster, as kubectl does it: apply, delete, and the eviction of a drain. */
final class ApiCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;

    private final Map<String, ObjectNode> lastApplied = new HashMap<>();

    /** A request that the API server refused: the manifest can't be used as it is. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message, null, false, false);
        }
    }

    /** The kind as the simulated API server serves it; empty where it only keeps such objects. */
    static Optional<ResourceKind> served(Manifest manifest) {
        return ResourceKinds.ALL.stream()
                .filter(kind -> kind.apiVersion().equals(manifest.apiVersion())
                        && kind.kind().equals(manifest.kind()))
                .findFirst();
    }

    /** Creates the object, or makes what is there into what the manifest says; its status too where one is given. */
    void apply(VirtualCluster cluster, ResourceKind kind, Manifest manifest) {
        Optional<JsonNode> live = cluster.store().get(kind, manifest.namespace(), manifest.name());
        ObjectNode before = lastApplied.put(manifest.key(), manifest.tree());
        try {
            if (live.isEmpty()) {
                cluster.store().create(manifest.tree());
                return;
            }
        } catch (RuntimeException e) {
            throw new RefusedException(e.getMessage());
        }
        ObjectNode there = (ObjectNode) live.get();
        ObjectNode base = before == null ? manifest.tree() : before;
        ObjectNode merged = ThreeWayMerge.merge(there, base, manifest.tree());
        replace(cluster, path(kind, manifest), merged);
        if (manifest.tree().has("status") && kind.hasStatus()) {
            JsonNode now = cluster.store()
                    .get(kind, manifest.namespace(), manifest.name())
                    .orElseThrow();
            ObjectNode withStatus = now.deepCopy();
            withStatus.set("status", merged.path("status"));
            replace(cluster, path(kind, manifest) + "/status", withStatus);
        }
    }

    private static void replace(VirtualCluster cluster, String path, ObjectNode body) {
        VirtualCluster.Answer answer = cluster.request("PUT", path, "application/json", body.toString());
        if (!answer.successful()) {
            throw new RefusedException(message(answer));
        }
    }

    /** False where it is not there. */
    boolean delete(VirtualCluster cluster, ResourceKind kind, Manifest manifest) {
        lastApplied.remove(manifest.key());
        VirtualCluster.Answer answer = cluster.request("DELETE", path(kind, manifest), "application/json", "");
        if (!answer.successful() && answer.code() != NOT_FOUND) {
            throw new RefusedException(message(answer));
        }
        return answer.successful();
    }

    /** What became of an eviction. */
    enum Evicted {
        DONE,
        /** A disruption budget does not allow it now. */
        NOT_NOW,
        /** The pod is not there. */
        NOT_THERE
    }

    Evicted evict(VirtualCluster cluster, String namespace, String pod) {
        ObjectNode eviction = JSON.createObjectNode();
        eviction.put("apiVersion", "policy/v1").put("kind", "Eviction");
        eviction.putObject("metadata").put("name", pod).put("namespace", namespace);
        VirtualCluster.Answer answer = cluster.request(
                "POST",
                "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/eviction",
                "application/json",
                eviction.toString());
        return switch (answer.code()) {
            case NOT_FOUND -> Evicted.NOT_THERE;
            case TOO_MANY -> Evicted.NOT_NOW;
            default -> {
                if (!answer.successful()) {
                    throw new RefusedException(message(answer));
                }
                yield Evicted.DONE;
            }
        };
    }

    private static String path(ResourceKind kind, Manifest manifest) {
        String root = kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.group() + "/" + kind.version();
        String namespace = kind.namespaced() ? "/namespaces/" + manifest.namespace() : "";
        return root + namespace + "/" + kind.plural() + "/" + manifest.name();
    }

    private static String message(VirtualCluster.Answer answer) {
        try {
            return JSON.readTree(answer.body()).path("message").asText(answer.body());
        } catch (JsonProcessingException e) {
            return answer.body();
        }
    }
}
