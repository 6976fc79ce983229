package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What the API server fills in and checks when an object is created: defaulting, the priority plugin, the limit on
 * extended resources, and the status that is reset. Only what scheduling can notice.
 */
final class Admission {

    private final VersionedStore store;

    Admission(VersionedStore store) {
        this.store = store;
    }

    /** Completes an object about to be created; the tree may be changed. */
    void admit(ResourceKind kind, ObjectNode object, boolean keepStatus) {
        if (kind.is(ResourceKind.Trait.STATUS) && !keepStatus) {
            object.remove("status");
        }
        if (kind.is(ResourceKind.Trait.GENERATION)) {
            Json.child(object, "metadata").put("generation", 1);
        }
        if (kind.equals(ResourceKinds.PODS)) {
            admitPod(object);
        } else if (kind.equals(ResourceKinds.NODES)) {
            ObjectNode status = Json.child(object, "status");
            if (!status.has("allocatable") && status.has("capacity")) {
                status.set("allocatable", status.get("capacity").deepCopy());
            }
        } else if (kind.equals(ResourceKinds.NAMESPACES)) {
            Json.child(object, "status").put("phase", "Active");
            Json.child(object, "spec").putArray("finalizers").add("kubernetes");
        } else if (kind.equals(ResourceKinds.CLAIMS) && !object.has("status")) {
            Json.child(object, "status").put("phase", "Pending");
        } else if (kind.equals(ResourceKinds.JOBS)) {
            admitJob(Json.child(object, "spec"));
        }
    }

    private void admitPod(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec");
        ResourceKind kind = ResourceKinds.PODS;
        String name = Json.text(pod, "metadata", "name");
        setDefault(spec, "restartPolicy", "Always");
        setDefault(spec, "dnsPolicy", "ClusterFirst");
        setDefault(spec, "schedulerName", "default-scheduler");
        if (!spec.has("terminationGracePeriodSeconds")) {
            spec.put("terminationGracePeriodSeconds", 30);
        }
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : spec.path(list)) {
                fillRequests((ObjectNode) container);
            }
        }
        setPriority(kind, name, spec);
        addRuntimeClass(kind, name, spec);
        tolerateLostNodes(spec);
        mergeLabelKeys(Json.at(pod, "metadata", "labels"), spec);
        ObjectNode status = Json.child(pod, "status");
        setDefault(status, "phase", "Pending");
        setDefault(status, "qosClass", PodResources.qosClass(pod));
    }

    private static void fillRequests(ObjectNode container) {
        if (!(container.path("resources").path("limits") instanceof ObjectNode limits)) {
            return;
        }
        ObjectNode requests = Json.child((ObjectNode) container.get("resources"), "requests");
        limits.properties().forEach(limit -> {
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            }
        });
    }

    private void setPriority(ResourceKind kind, String pod, ObjectNode spec) {
        String className = spec.path("priorityClassName").asText("");
        JsonNode priorityClass = className.isEmpty() ? globalDefault() : named(kind, pod, className);
        if (className.isEmpty() && priorityClass != null) {
            spec.put("priorityClassName", Json.text(priorityClass, "metadata", "name"));
        }
        int value = priorityClass == null ? 0 : priorityClass.path("value").asInt();
        if (spec.has("priority") && spec.get("priority").asInt() != value) {
            throw ApiException.forbidden(
                    kind,
                    pod,
                    "the integer value of priority (" + spec.get("priority").asInt()
                            + ") must not be provided in pod spec; priority admission controller computed " + value
                            + " from the given PriorityClass name");
        }
        spec.put("priority", value);
        String policy = priorityClass == null
                ? ""
                : priorityClass.path("preemptionPolicy").asText("");
        setDefault(spec, "preemptionPolicy", policy.isEmpty() ? "PreemptLowerPriority" : policy);
    }

    private JsonNode named(ResourceKind kind, String pod, String className) {
        StoredObject found = store.get(ResourceKinds.PRIORITY_CLASSES, new ObjectKey("", className));
        if (found == null) {
            throw ApiException.forbidden(kind, pod, "no PriorityClass with name " + className + " was found");
        }
        return found.json();
    }

    /** The class that counts for pods without one: of several global defaults the lowest, as the plugin takes it. */
    private JsonNode globalDefault() {
        JsonNode lowest = null;
        for (StoredObject each : store.list(ResourceKinds.PRIORITY_CLASSES, "").objects()) {
            JsonNode candidate = each.json();
            if (candidate.path("globalDefault").asBoolean()
                    && (lowest == null
                            || candidate.path("value").asInt()
                                    < lowest.path("value").asInt())) {
                lowest = candidate;
            }
        }
        return lowest;
    }

    /**
     * The RuntimeClass plugin: overhead, node selector and tolerations of the class. A class that is not there is let pass,
     * unlike in Kubernetes: the pod then says its overhead itself.
     */
    private void addRuntimeClass(ResourceKind kind, String pod, ObjectNode spec) {
        ObjectKey key = new ObjectKey("", spec.path("runtimeClassName").asText(""));
        StoredObject found = key.name().isEmpty() ? null : store.get(ResourceKinds.RUNTIME_CLASSES, key);
        if (found == null) {
            return;
        }
        if (Json.at(found.json(), "overhead", "podFixed") instanceof ObjectNode overhead) {
            if (spec.has("overhead") && !spec.get("overhead").equals(overhead)) {
                throw ApiException.forbidden(
                        kind, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
            }
            spec.set("overhead", overhead);
        }
        Json.at(found.json(), "scheduling", "nodeSelector").properties().forEach(label -> {
            ObjectNode selector = Json.child(spec, "nodeSelector");
            if (selector.has(label.getKey()) && !selector.get(label.getKey()).equals(label.getValue())) {
                throw ApiException.forbidden(
                        kind, pod, "pod rejected: conflict: runtimeClass.scheduling.nodeSelector " + label.getKey());
            }
            selector.set(label.getKey(), label.getValue());
        });
        Json.at(found.json(), "scheduling", "tolerations").forEach(tolerations(spec)::add);
    }

    /** The DefaultTolerationSeconds plugin: pods stay five minutes on a node that is not ready or cannot be reached. */
    private static void tolerateLostNodes(ObjectNode spec) {
        for (String name : new String[] {"not-ready", "unreachable"}) {
            ObjectNode taint = Json.object();
            taint.put("key", "node.kubernetes.io/" + name).put("effect", "NoExecute");
            boolean tolerated = false;
            for (JsonNode toleration : spec.path("tolerations")) {
                tolerated |= Taints.tolerates(toleration, taint);
            }
            if (!tolerated) {
                tolerations(spec).add(taint.put("operator", "Exists").put("tolerationSeconds", 300));
            }
        }
    }

    /** Writes what matchLabelKeys and mismatchLabelKeys of affinity terms mean for this pod into their selectors. */
    private static void mergeLabelKeys(JsonNode labels, ObjectNode spec) {
        for (String kind : new String[] {"podAffinity", "podAntiAffinity"}) {
            JsonNode affinity = Json.at(spec, "affinity", kind);
            for (JsonNode term : affinity.path("requiredDuringSchedulingIgnoredDuringExecution")) {
                mergeLabelKeys(labels, term);
            }
            for (JsonNode weighted : affinity.path("preferredDuringSchedulingIgnoredDuringExecution")) {
                mergeLabelKeys(labels, weighted.path("podAffinityTerm"));
            }
        }
    }

    private static void mergeLabelKeys(JsonNode labels, JsonNode term) {
        if (!(term.path("labelSelector") instanceof ObjectNode selector)) {
            return;
        }
        for (String list : new String[] {"matchLabelKeys", "mismatchLabelKeys"}) {
            for (JsonNode key : term.path(list)) {
                if (labels.has(key.asText())) {
                    ArrayNode expressions = selector.get("matchExpressions") instanceof ArrayNode there
                            ? there
                            : selector.putArray("matchExpressions");
                    expressions
                            .addObject()
                            .put("key", key.asText())
                            .put("operator", list.equals("matchLabelKeys") ? "In" : "NotIn")
                            .putArray("values")
                            .add(labels.get(key.asText()).asText());
                }
            }
        }
    }

    private static ArrayNode tolerations(ObjectNode spec) {
        return spec.get("tolerations") instanceof ArrayNode there ? there : spec.putArray("tolerations");
    }

    private static void admitJob(ObjectNode spec) {
        if (!spec.has("parallelism") && !spec.has("completions")) {
            spec.put("completions", 1);
        }
        if (!spec.has("parallelism")) {
            spec.put("parallelism", 1);
        }
        if (!spec.has("backoffLimit")) {
            spec.put("backoffLimit", 6);
        }
        setDefault(spec, "completionMode", "NonIndexed");
        if (!spec.has("suspend")) {
            spec.put("suspend", false);
        }
    }

    private static void setDefault(ObjectNode object, String name, String value) {
        if (object.path(name).asText("").isEmpty()) {
            object.put(name, value);
        }
    }
}
