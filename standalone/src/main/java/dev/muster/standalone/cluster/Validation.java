package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks of what clients send over HTTP: the ones whose absence would let a scheduler's mistake go through. */
final class Validation {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Set<String> OVERCOMMITTABLE = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String FORBIDDEN_POD_UPDATE =
            "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
                    + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                    + "`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private Validation() {}

    static void onCreate(ResourceKind kind, ObjectNode object) {
        String name = Json.text(object, "metadata", "name");
        if (!NAME.matcher(name).matches()) {
            throw ApiException.invalid(kind, name, "metadata.name", "Invalid value: \"" + name + "\"");
        }
        if (kind.equals(ResourceKinds.PODS)) {
            pod(kind, name, object.path("spec"));
        } else if (kind.equals(ResourceKinds.DISRUPTION_BUDGETS)) {
            budget(kind, name, object.path("spec"));
        }
    }

    private static void budget(ResourceKind kind, String name, JsonNode spec) {
        LabelSelector.of(spec.path("selector"));
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            throw ApiException.invalid(kind, name, "spec", "minAvailable and maxUnavailable are mutually exclusive");
        }
        for (String field : new String[] {"minAvailable", "maxUnavailable"}) {
            if (!spec.path(field).asText("0").matches("\\d{1,9}|\\d{1,3}%")) {
                throw ApiException.invalid(kind, name, "spec." + field, "must be a count or a percentage");
            }
        }
    }

    private static void pod(ResourceKind kind, String name, JsonNode spec) {
        if (spec.path("containers").isEmpty()) {
            throw ApiException.invalid(kind, name, "spec.containers", "Required value");
        }
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : spec.path(list)) {
                container(kind, name, "spec." + list, container);
            }
        }
    }

    private static void container(ResourceKind kind, String name, String field, JsonNode container) {
        for (String required : new String[] {"name", "image"}) {
            if (container.path(required).asText("").isEmpty()) {
                throw ApiException.invalid(kind, name, field + "[*]." + required, "Required value");
            }
        }
        JsonNode limits = container.path("resources").path("limits");
        limits.properties()
                .forEach(limit ->
                        quantity(kind, name, field + "[*].resources.limits[" + limit.getKey() + "]", limit.getValue()));
        container.path("resources").path("requests").properties().forEach(request -> {
            String resource = request.getKey();
            String path = field + "[*].resources.requests[" + resource + "]";
            long amount = quantity(kind, name, path, request.getValue());
            boolean limited = limits.has(resource);
            if (!limited && !OVERCOMMITTABLE.contains(resource)) {
                throw ApiException.invalid(
                        kind,
                        name,
                        path.replace("requests", "limits"),
                        "Required value: Limit must be set for non overcommitable resources");
            }
            long limit = limited ? quantity(kind, name, path, limits.get(resource)) : Long.MAX_VALUE;
            if (amount > limit || limited && !OVERCOMMITTABLE.contains(resource) && amount != limit) {
                throw ApiException.invalid(
                        kind, name, path, "Invalid value: must be less than or equal to (extended: equal to) limit");
            }
        });
    }

    private static long quantity(ResourceKind kind, String name, String field, JsonNode value) {
        long amount;
        try {
            amount = Quantities.milli(value);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("quantities must match the regular expression of quantities: " + value);
        }
        if (amount < 0) {
            throw ApiException.invalid(kind, name, field, "must be greater than or equal to 0");
        }
        return amount;
    }

    /** Checks an update of the main resource; status is not looked at. */
    static void onUpdate(ResourceKind kind, String name, JsonNode before, JsonNode after) {
        if (kind.equals(ResourceKinds.PODS) && !before.path("spec").equals(after.path("spec"))) {
            podUpdate(name, before.path("spec"), after.path("spec"));
        }
        if (kind.equals(ResourceKinds.PRIORITY_CLASSES) && !before.path("value").equals(after.path("value"))) {
            throw ApiException.invalid(kind, name, "value", "Forbidden: may not be changed in an update.");
        }
        if (kind.equals(ResourceKinds.JOBS)) {
            for (String field : new String[] {"completions", "selector", "completionMode"}) {
                if (!Json.at(before, "spec", field).equals(Json.at(after, "spec", field))) {
                    throw ApiException.invalid(kind, name, "spec." + field, "field is immutable");
                }
            }
        }
    }

    private static void podUpdate(String name, JsonNode before, JsonNode after) {
        boolean gated = !before.path("schedulingGates").isEmpty();
        for (JsonNode gate : after.path("schedulingGates")) {
            if (!contains(before.path("schedulingGates"), gate)) {
                throw ApiException.invalid(
                        ResourceKinds.PODS, name, "spec.schedulingGates", "Forbidden: only deletion is allowed");
            }
        }
        for (JsonNode toleration : before.path("tolerations")) {
            if (!contains(after.path("tolerations"), toleration)) {
                throw ApiException.invalid(ResourceKinds.PODS, name, "spec.tolerations", FORBIDDEN_POD_UPDATE);
            }
        }
        if (!frozen(before, gated).equals(frozen(after, gated))) {
            throw ApiException.invalid(ResourceKinds.PODS, name, "spec", FORBIDDEN_POD_UPDATE);
        }
    }

    private static boolean contains(JsonNode list, JsonNode wanted) {
        for (JsonNode element : list) {
            if (element.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** The spec without what may change: what is left must be equal. */
    private static JsonNode frozen(JsonNode spec, boolean gated) {
        ObjectNode copy = spec.deepCopy();
        copy.remove(java.util.List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        if (gated) {
            copy.remove(java.util.List.of("nodeSelector", "affinity"));
        }
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : copy.path(list)) {
                ((ObjectNode) container).remove("image");
            }
        }
        return copy;
    }
}
