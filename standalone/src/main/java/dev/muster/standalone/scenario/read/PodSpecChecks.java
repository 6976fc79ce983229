package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** Pod specs: what the API server refuses and a simulation would get wrong without noticing. */
final class PodSpecChecks {
    private static final Set<String> OVERCOMMITTABLE = Set.of("cpu", "memory", "ephemeral-storage");
    private static final long WHOLE = 1000;

    private final Document document;
    private final Set<String> names = new HashSet<>();

    private PodSpecChecks(Document document) {
        this.document = document;
    }

    /** @param field path of the spec, for messages */
    static void check(Document document, String field, JsonNode spec) {
        PodSpecChecks checks = new PodSpecChecks(document);
        if (!spec.path("containers").isArray() || spec.path("containers").isEmpty()) {
            throw document.expected(field + ".containers", "at least one container", spec.path("containers"));
        }
        checks.containers(field + ".containers", spec.path("containers"));
        checks.containers(field + ".initContainers", spec.path("initContainers"));
        checks.resources(field + ".resources", spec.path("resources"), false);
        QuantityChecks.all(document, field + ".overhead", spec.path("overhead"));
        JsonNode grace = spec.path("terminationGracePeriodSeconds");
        if (!grace.isMissingNode() && (!grace.isIntegralNumber() || grace.asLong() < 0)) {
            throw document.expected(field + ".terminationGracePeriodSeconds", "seconds, 0 or more", grace);
        }
        JsonNode node = spec.path("nodeName");
        if (!node.isMissingNode() && !Names.subdomain(node.asText())) {
            throw document.expected(field + ".nodeName", "the name of a node", node);
        }
    }

    private void containers(String field, JsonNode containers) {
        for (int i = 0; i < containers.size(); i++) {
            JsonNode container = containers.get(i);
            String path = field + "[" + i + "]";
            JsonNode name = container.path("name");
            if (!Names.label(name.asText(""))) {
                throw document.expected(path + ".name", "a name of small letters, digits and -", name);
            }
            if (!names.add(name.asText())) {
                throw document.problem(path + ".name: '" + name.asText() + "' is the name of an earlier container");
            }
            if (container.path("image").asText("").isBlank()) {
                throw document.expected(path + ".image", "an image", container.path("image"));
            }
            resources(path + ".resources", container.path("resources"), true);
        }
    }

    private void resources(String field, JsonNode resources, boolean ofContainer) {
        JsonNode limits = resources.path("limits");
        QuantityChecks.all(document, field + ".limits", limits);
        QuantityChecks.all(document, field + ".requests", resources.path("requests"));
        resources.path("requests").properties().forEach(request -> {
            String resource = request.getKey();
            String path = field + ".requests[" + resource + "]";
            long asked = QuantityChecks.milli(document, path, request.getValue());
            boolean limited = limits.has(resource);
            long limit = limited ? QuantityChecks.milli(document, path, limits.get(resource)) : Long.MAX_VALUE;
            if (asked > limit) {
                throw document.expected(
                        path, "at most its limit " + limits.get(resource).asText(), request.getValue());
            }
            if (ofContainer && resource.contains("/") && !OVERCOMMITTABLE.contains(resource)) {
                extended(path, resource, asked, limited, limit, request.getValue());
            }
        });
        limits.properties().forEach(limit -> {
            long most = QuantityChecks.milli(document, field + ".limits[" + limit.getKey() + "]", limit.getValue());
            if (limit.getKey().contains("/") && most % WHOLE != 0) {
                throw document.expected(field + ".limits[" + limit.getKey() + "]", "a whole number", limit.getValue());
            }
        });
    }

    /** Extended resources: whole, and limits equal to requests where both are given (the API server's rule). */
    private void extended(String path, String resource, long asked, boolean limited, long limit, JsonNode value) {
        if (asked % WHOLE != 0) {
            throw document.expected(path, "a whole number", value);
        }
        if (!limited) {
            throw document.problem(
                    path + ": needs a limit of the same amount, as " + resource + " can't be overcommitted");
        }
        if (asked != limit) {
            throw document.expected(path, "its limit, as " + resource + " can't be overcommitted", value);
        }
    }
}
