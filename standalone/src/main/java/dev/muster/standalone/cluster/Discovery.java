package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** What the server says about itself: version, groups, and the resources of each group. */
final class Discovery {

    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final ResourceKinds kinds;

    Discovery(ResourceKinds kinds) {
        this.kinds = kinds;
    }

    /** The document at a path, where the path is one of discovery's. */
    Optional<JsonNode> at(String path) {
        String trimmed = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return switch (trimmed) {
            case "/", "" -> Optional.of(paths());
            case "/version" -> Optional.of(version());
            case "/api" -> Optional.of(coreVersions());
            case "/apis" -> Optional.of(groups());
            case "/openapi/v3" -> Optional.of(Json.object().set("paths", Json.object()));
            default -> group(trimmed);
        };
    }

    private Optional<JsonNode> group(String path) {
        String[] steps = path.substring(1).split("/");
        if (steps.length == 2 && steps[0].equals("api")) {
            return resources("", steps[1]);
        }
        if (steps.length == 3 && steps[0].equals("apis")) {
            return resources(steps[1], steps[2]);
        }
        if (steps.length == 2 && steps[0].equals("apis")) {
            return kinds.served().stream()
                    .filter(kind -> kind.group().equals(steps[1]))
                    .findFirst()
                    .map(kind -> group(kind).put("kind", "APIGroup").put("apiVersion", "v1"));
        }
        return Optional.empty();
    }

    private static JsonNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "34")
                .put("gitVersion", "v1.34.0-muster")
                .put("gitCommit", "simulated")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "none")
                .put("platform", "simulated");
    }

    private JsonNode paths() {
        ObjectNode root = Json.object();
        ArrayNode paths =
                root.putArray("paths").add("/api").add("/api/v1").add("/apis").add("/version");
        kinds.served().stream()
                .filter(kind -> !kind.group().isEmpty())
                .map(kind -> "/apis/" + kind.apiVersion())
                .distinct()
                .forEach(paths::add);
        return root;
    }

    private static JsonNode coreVersions() {
        ObjectNode versions = Json.object();
        versions.put("kind", "APIVersions").putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    private JsonNode groups() {
        ObjectNode list = Json.object();
        list.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        kinds.served().stream()
                .filter(kind -> !kind.group().isEmpty())
                .collect(java.util.stream.Collectors.toMap(
                        ResourceKind::group, kind -> kind, (first, second) -> first, java.util.LinkedHashMap::new))
                .values()
                .forEach(kind -> groups.add(group(kind)));
        return list;
    }

    private static ObjectNode group(ResourceKind kind) {
        ObjectNode group = Json.object();
        group.put("name", kind.group());
        ObjectNode version = Json.object();
        version.put("groupVersion", kind.apiVersion()).put("version", kind.version());
        group.putArray("versions").add(version);
        group.set("preferredVersion", version);
        return group;
    }

    private Optional<JsonNode> resources(String group, String version) {
        List<ResourceKind> found = kinds.served().stream()
                .filter(kind -> kind.group().equals(group) && kind.version().equals(version))
                .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = Json.object();
        list.put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", found.getFirst().apiVersion());
        ArrayNode resources = list.putArray("resources");
        for (ResourceKind kind : found) {
            resource(resources, kind, kind.plural(), kind.kind(), VERBS);
            if (kind.hasStatus()) {
                resource(resources, kind, kind.plural() + "/status", kind.kind(), List.of("get", "patch", "update"));
            }
            if (kind.equals(ResourceKinds.PODS)) {
                resource(resources, kind, "pods/binding", "Binding", List.of("create"));
                resource(resources, kind, "pods/eviction", "Eviction", List.of("create"));
            }
        }
        return Optional.of(list);
    }

    private static void resource(ArrayNode list, ResourceKind kind, String name, String kindName, List<String> verbs) {
        ObjectNode resource = list.addObject();
        resource.put("name", name).put("singularName", kind.kind().toLowerCase(java.util.Locale.ROOT));
        resource.put("namespaced", kind.namespaced()).put("kind", kindName);
        ArrayNode allowed = resource.putArray("verbs");
        verbs.forEach(allowed::add);
    }
}
