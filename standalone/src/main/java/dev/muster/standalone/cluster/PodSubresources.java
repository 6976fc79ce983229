package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Binding and eviction, step by step as the API server's pod registry does them. */
final class PodSubresources {

    private static final ResourceKind PODS = ResourceKinds.PODS;
    private static final String BINDING = "pods/binding";

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final DisruptionBudgets budgets;
    private final Counters counters;
    private final BindErrors bindErrors = new BindErrors();

    PodSubresources(VersionedStore store, ObjectWriter writer, DisruptionBudgets budgets, Counters counters) {
        this.store = store;
        this.writer = writer;
        this.budgets = budgets;
        this.counters = counters;
    }

    /**
     * Binds a pod to a node. The node need not exist, as in Kubernetes.
     *
     * @throws ApiException 409 where the pod is bound, being deleted, gated, or not the one the binding's uid and
     *     resource version mean
     */
    void bind(ObjectKey key, JsonNode binding) {
        String name = Json.text(binding, "metadata", "name");
        if (!name.equals(key.name())) {
            throw ApiException.badRequest("name in URL does not match name in Binding object");
        }
        String node = Json.text(binding, "target", "name");
        String targetKind = Json.text(binding, "target", "kind");
        if (node.isEmpty() || !targetKind.isEmpty() && !targetKind.equals("Node")) {
            throw ApiException.invalid(PODS, name, node.isEmpty() ? "target.name" : "target.kind", "Required value");
        }
        try {
            store.locked(() -> {
                StoredObject pod = pod(key);
                checkBindable(pod, binding);
                bindErrors.check(pod, store.get(ResourceKinds.NODES, new ObjectKey("", node)));
                return store.put(PODS, key, bound(pod, binding, node));
            });
        } catch (ApiException e) {
            if (e.code() == 409) {
                counters.bindConflict();
            }
            throw e;
        }
        counters.bound();
    }

    private static void checkBindable(StoredObject pod, JsonNode binding) {
        String uid = Json.text(binding, "metadata", "uid");
        String version = Json.text(binding, "metadata", "resourceVersion");
        String problem = null;
        if (!uid.isEmpty() && !uid.equals(pod.uid())) {
            problem = "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + pod.uid();
        } else if (!version.isEmpty() && !version.equals(Long.toString(pod.resourceVersion()))) {
            problem = "Precondition failed: ResourceVersion in precondition: " + version
                    + ", ResourceVersion in object meta: " + pod.resourceVersion();
        } else if (pod.deleting()) {
            problem = "pod " + pod.key().name() + " is being deleted, cannot be assigned to a host";
        } else if (!Json.text(pod.json(), "spec", "nodeName").isEmpty()) {
            problem = "pod " + pod.key().name() + " is already assigned to node \""
                    + Json.text(pod.json(), "spec", "nodeName") + "\"";
        } else if (!Json.at(pod.json(), "spec", "schedulingGates").isEmpty()) {
            problem = "pod " + pod.key().name() + " has non-empty .spec.schedulingGates";
        }
        if (problem != null) {
            throw ApiException.conflict(BINDING, PODS, pod.key().name(), problem);
        }
    }

    private ObjectNode bound(StoredObject pod, JsonNode binding, String node) {
        ObjectNode after = Json.thaw(pod.json());
        Json.thawChild(after, "spec").put("nodeName", node);
        ObjectNode metadata = (ObjectNode) after.get("metadata");
        if (binding.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            Json.thawChild(metadata, "annotations").setAll(annotations);
        }
        ObjectNode status = Json.thawChild(after, "status");
        status.set("conditions", withScheduled(status.path("conditions")));
        return after;
    }

    private ArrayNode withScheduled(JsonNode conditions) {
        ArrayNode result = Json.array();
        for (JsonNode condition : conditions) {
            if (!condition.path("type").asText().equals("PodScheduled")) {
                result.add(condition);
            }
        }
        result.addObject()
                .put("type", "PodScheduled")
                .put("status", "True")
                .putNull("lastProbeTime")
                .put("lastTransitionTime", writer.now());
        return result;
    }

    /**
     * Evicts a pod where its disruption budget allows it.
     *
     * @throws ApiException 429 where it does not, 500 where more than one budget covers the pod
     */
    void evict(ObjectKey key, JsonNode eviction) {
        if (!Json.text(eviction, "metadata", "name").equals(key.name())) {
            throw ApiException.badRequest("name in URL does not match name in Eviction object: " + key.name());
        }
        DeleteOptions options = DeleteOptions.of(eviction.path("deleteOptions"));
        boolean first = store.locked(() -> {
            StoredObject pod = pod(key);
            // Not running means nothing is disrupted: budgets do not count (canIgnorePDB in the eviction registry).
            if (!pod.deleting() && Json.text(pod.json(), "status", "phase").equals("Running")) {
                checkBudget(pod);
            }
            ObjectWriter.checkPreconditions(PODS, key, pod, options);
            if (!pod.deleting()) {
                writer.edit(PODS, key, before -> PodStatuses.disrupted(before, "EvictionByEvictionAPI", writer.now()));
            }
            writer.delete(PODS, key, options.ofAnyVersion()); // the condition has just made a new one
            return !pod.deleting();
        });
        if (first) {
            counters.evicted();
        }
    }

    private void checkBudget(StoredObject pod) {
        List<StoredObject> covering = budgets.of(pod);
        if (covering.size() > 1) {
            throw new ApiException(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        if (covering.isEmpty()) {
            return;
        }
        StoredObject budget = covering.getFirst();
        DisruptionBudgets.Standing standing = budgets.standing(budget);
        boolean healthy = DisruptionBudgets.healthy(pod);
        boolean always =
                Json.text(budget.json(), "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow");
        if (!healthy && (always || standing.healthy() >= standing.desired() && standing.desired() > 0)) {
            return;
        }
        if (standing.allowed() == 0) {
            counters.evictionRefused();
            throw ApiException.disruptionBudget(
                    "Cannot evict pod as it would violate the pod's disruption budget.",
                    "The disruption budget " + budget.key().name() + " needs " + standing.desired()
                            + " healthy pods and has " + standing.healthy() + " currently");
        }
    }

    private StoredObject pod(ObjectKey key) {
        StoredObject found = store.get(PODS, key);
        if (found == null) {
            throw ApiException.notFound(PODS, key.name());
        }
        return found;
    }
}
