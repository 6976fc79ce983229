package dev.muster.ingest.intake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.ingest.map.Quantities;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;

/**
 * What Kubernetes asks of a container's requests and limits (core validation, ValidateContainerResourceRequirements):
 * a request is not above its limit; extended resources and huge pages cannot be overcommitted, so a request needs an
 * equal limit; extended resources come in whole pieces. Checked here, because a gang whose pods the API server
 * refuses would be placed in vain.
 */
final class ResourceRules {

    private static final Set<String> PLAIN = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String HUGE_PAGES = "hugepages-";

    private ResourceRules() {}

    /** The shape of keys: resource names that a container may ask for. */
    static Shape nameOf(String key, String path, Shape usual) throws Refused {
        boolean known = PLAIN.contains(key) || key.startsWith(HUGE_PAGES) || isExtended(key);
        if (!known || !Names.isQualifiedName(key)) {
            throw new Refused(
                    RefusalReason.InvalidName,
                    path,
                    "expected cpu, memory, ephemeral-storage, hugepages-SIZE or DOMAIN/NAME");
        }
        return usual;
    }

    /** The rule over {@code requests} and {@code limits} of one container. */
    static void check(JsonNode resources, String path) throws Refused {
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> limit : limits.properties()) {
            requireWhole(limit.getKey(), limit.getValue(), path + ".limits");
        }
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String resource = request.getKey();
            requireWhole(resource, request.getValue(), path + ".requests");
            String at = path + ".requests[" + resource + "]";
            boolean fixed = isExtended(resource) || resource.startsWith(HUGE_PAGES);
            if (!limits.has(resource)) {
                if (fixed) {
                    throw new Refused(
                            RefusalReason.MissingField, at, "needs an equal limit: it cannot be overcommitted");
                }
                continue;
            }
            int order = Long.compare(amount(resource, request.getValue()), amount(resource, limits.get(resource)));
            if (order > 0 || fixed && order != 0) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        at,
                        (fixed ? "must equal the limit " : "must not be above the limit ")
                                + limits.get(resource).asText());
            }
        }
    }

    private static void requireWhole(String resource, JsonNode value, String path) throws Refused {
        if (isExtended(resource)
                && !Quantities.parse(resource, value.asText(), RoundingMode.FLOOR)
                        .equals(Quantities.parse(resource, value.asText(), RoundingMode.CEILING))) {
            throw new Refused(
                    RefusalReason.InvalidValue,
                    path + "[" + resource + "]",
                    "expected a whole number, got " + Names.quote(value.asText()));
        }
    }

    private static boolean isExtended(String resource) {
        return resource.indexOf('/') >= 0;
    }

    private static long amount(String resource, JsonNode value) {
        return Quantities.parse(resource, value.asText(), RoundingMode.CEILING).orElseThrow();
    }
}
