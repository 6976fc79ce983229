package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The two patches that look like the object: JSON merge patch (RFC 7386) and Kubernetes' strategic merge patch, which
 * merges some lists by a key of their elements.
 *
 * <p>The table of keys is the part of Kubernetes' {@code patchMergeKey} tags that pods, nodes and jobs need. Lists that
 * are not in it are replaced, as are taints and tolerations: both are atomic in Kubernetes' types, too.
 */
final class MergePatch {

    private static final Map<String, String> MERGE_KEYS = Map.ofEntries(
            Map.entry("conditions", "type"),
            Map.entry("addresses", "type"),
            Map.entry("containers", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("volumes", "name"),
            Map.entry("env", "name"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("secrets", "name"),
            Map.entry("schedulingGates", "name"),
            Map.entry("resourceClaims", "name"),
            Map.entry("ports", "containerPort"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("topologySpreadConstraints", "topologyKey"),
            Map.entry("hostAliases", "ip"),
            Map.entry("ownerReferences", "uid"));

    private static final String SERVICE_PORT_KEY = "port";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";

    private MergePatch() {}

    /** JSON merge patch: null removes, objects merge, everything else replaces. */
    static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result = target instanceof ObjectNode object ? object : Json.object();
        changes.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                result.set(field.getKey(), merge(result.path(field.getKey()), field.getValue()));
            }
        });
        return result;
    }

    /** Strategic merge patch with the directives {@code $patch} and {@code $deleteFromPrimitiveList}. */
    static ObjectNode strategic(ObjectNode target, ObjectNode patch) {
        String directive = patch.path("$patch").asText();
        if (directive.equals("replace")) {
            ObjectNode copy = patch.deepCopy();
            copy.remove("$patch");
            return copy;
        }
        if (directive.equals("delete")) {
            return Json.object();
        }
        patch.properties().forEach(field -> mergeField(target, field.getKey(), field.getValue()));
        return target;
    }

    private static void mergeField(ObjectNode target, String name, JsonNode change) {
        if (name.startsWith(DELETE_PRIMITIVES)) {
            deletePrimitives(target, name.substring(DELETE_PRIMITIVES.length()), change);
        } else if (name.startsWith("$")) {
            return; // order hints and retained keys do not change what is in a list
        } else if (change.isNull()) {
            target.remove(name);
        } else if (change instanceof ObjectNode object) {
            target.set(name, strategic(Json.child(replaceScalar(target, name), name), object));
        } else if (change instanceof ArrayNode elements && target.get(name) instanceof ArrayNode present) {
            target.set(name, mergeList(name, present, elements));
        } else if (change instanceof ArrayNode elements) {
            target.set(name, mergeList(name, Json.array(), elements));
        } else {
            target.set(name, change);
        }
    }

    private static ObjectNode replaceScalar(ObjectNode target, String name) {
        if (target.has(name) && !target.get(name).isObject()) {
            target.remove(name);
        }
        return target;
    }

    private static ArrayNode mergeList(String name, ArrayNode present, ArrayNode elements) {
        if (name.equals("finalizers")) {
            return union(present, elements);
        }
        String key = mergeKey(name, elements);
        if (key == null) {
            return elements.deepCopy();
        }
        ArrayNode result = present;
        for (JsonNode element : elements) {
            if (element.path("$patch").asText().equals("replace")) {
                result = Json.array();
            }
        }
        for (JsonNode element : elements) {
            mergeElement(result, key, (ObjectNode) element);
        }
        return result;
    }

    private static void mergeElement(ArrayNode result, String key, ObjectNode element) {
        String directive = element.path("$patch").asText();
        if (directive.equals("replace")) {
            return;
        }
        for (int i = 0; i < result.size(); i++) {
            if (result.get(i).path(key).equals(element.path(key))) {
                if (directive.equals("delete")) {
                    result.remove(i);
                } else {
                    result.set(i, strategic((ObjectNode) result.get(i), element));
                }
                return;
            }
        }
        if (!directive.equals("delete")) {
            result.add(strategic(Json.object(), element));
        }
    }

    private static String mergeKey(String name, ArrayNode elements) {
        String key = MERGE_KEYS.get(name);
        if (name.equals("ports") && elements.path(0).has(SERVICE_PORT_KEY)) {
            key = SERVICE_PORT_KEY;
        }
        for (JsonNode element : elements) {
            if (!element.isObject()) {
                return null;
            }
        }
        return key;
    }

    private static ArrayNode union(ArrayNode present, ArrayNode more) {
        ArrayNode result = present.deepCopy();
        for (JsonNode element : more) {
            boolean there = false;
            for (JsonNode old : result) {
                there |= old.equals(element);
            }
            if (!there) {
                result.add(element);
            }
        }
        return result;
    }

    private static void deletePrimitives(ObjectNode target, String name, JsonNode unwanted) {
        ArrayNode kept = Json.array();
        for (JsonNode element : target.path(name)) {
            boolean wanted = true;
            for (JsonNode gone : unwanted) {
                wanted &= !gone.equals(element);
            }
            if (wanted) {
                kept.add(element);
            }
        }
        if (kept.isEmpty()) {
            target.remove(name);
        } else {
            target.set(name, kept);
        }
    }
}
