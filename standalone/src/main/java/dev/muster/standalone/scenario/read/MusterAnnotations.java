package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;

/** The annotations of the format: which may stand where, and their values. Those that the product reads or writes pass. */
final class MusterAnnotations {
    static final String PREFIX = "muster.dev/";
    static final String AT = PREFIX + "at";
    static final String DELETE_AT = PREFIX + "delete-at";
    static final String EVICT_AT = PREFIX + "evict-at";
    static final String CLUSTER = PREFIX + "cluster";
    static final String BIND_ERROR = PREFIX + "bind-error";
    private static final String RUNTIME = PREFIX + "runtime";
    private static final String FAIL_AFTER = PREFIX + "fail-after";
    private static final String EXIT_CODE = PREFIX + "exit-code";
    private static final String BIND_ERROR_TIMES = PREFIX + "bind-error-times";
    private static final String PROVISION_ERROR = PREFIX + "provision-error";
    private static final String PROVISION_AFTER = PREFIX + "provision-after";

    private static final Set<String> OF_OBJECTS = Set.of(AT, DELETE_AT, CLUSTER);
    private static final Set<String> OF_PODS =
            Set.of(RUNTIME, FAIL_AFTER, EXIT_CODE, EVICT_AT, CLUSTER, BIND_ERROR, BIND_ERROR_TIMES);
    private static final Set<String> OF_NODES = Set.of(BIND_ERROR, BIND_ERROR_TIMES, PROVISION_ERROR);
    private static final Set<String> OF_CLAIMS = Set.of(PROVISION_ERROR);
    private static final Set<String> OF_CLASSES = Set.of(PROVISION_ERROR, PROVISION_AFTER);
    private static final Set<String> PRODUCTS = Set.of(
            "attempt",
            "balanced-placement",
            "decision",
            "epoch",
            "fenced-because",
            "fenced-by",
            "gpu-devices",
            "gpu-fraction",
            "gpu-health",
            "gpu-link",
            "gpu-milli",
            "gpu-topology",
            "gpu-uuids",
            "index",
            "job",
            "last-checkpoint",
            "numa-nodes",
            "strategy",
            "task",
            "tenant");

    /** Where annotations stand. */
    enum Bearer {
        POD,
        TEMPLATE,
        NODE,
        CLAIM,
        STORAGE_CLASS,
        OTHER
    }

    private MusterAnnotations() {}

    static void check(Document document, String field, JsonNode annotations, Bearer bearer) {
        if (!(annotations instanceof ObjectNode object)) {
            return;
        }
        object.properties().forEach(each -> {
            if (each.getKey().startsWith(PREFIX)) {
                check(document, field + "[" + each.getKey() + "]", each.getKey(), each.getValue(), bearer);
            }
        });
        if (object.has(EXIT_CODE) && !object.has(FAIL_AFTER)) {
            throw document.problem(field + "[" + EXIT_CODE + "]: needs " + FAIL_AFTER);
        }
        if (object.has(BIND_ERROR_TIMES) && !object.has(BIND_ERROR)) {
            throw document.problem(field + "[" + BIND_ERROR_TIMES + "]: needs " + BIND_ERROR);
        }
    }

    private static void check(Document document, String field, String key, JsonNode value, Bearer bearer) {
        TreeSet<String> allowed = new TreeSet<>();
        switch (bearer) {
            case POD -> {
                allowed.addAll(OF_OBJECTS);
                allowed.addAll(OF_PODS);
            }
            case TEMPLATE -> allowed.addAll(OF_PODS);
            case NODE -> {
                allowed.addAll(OF_OBJECTS);
                allowed.addAll(OF_NODES);
            }
            case CLAIM -> {
                allowed.addAll(OF_OBJECTS);
                allowed.addAll(OF_CLAIMS);
            }
            case STORAGE_CLASS -> {
                allowed.addAll(OF_OBJECTS);
                allowed.addAll(OF_CLASSES);
            }
            case OTHER -> allowed.addAll(OF_OBJECTS);
        }
        if (!allowed.contains(key)) {
            if (PRODUCTS.contains(key.substring(PREFIX.length()))) {
                return;
            }
            boolean elsewhere = OF_PODS.contains(key) || OF_OBJECTS.contains(key);
            throw document.problem(field + ": "
                    + (elsewhere ? "has no meaning here, " + belongs(key) : "unknown annotation")
                    + "; expected one of " + String.join(", ", allowed));
        }
        switch (key) {
            case AT, DELETE_AT, EVICT_AT, RUNTIME, FAIL_AFTER, PROVISION_AFTER ->
                Durations.millis(document, field, value);
            case EXIT_CODE -> whole(document, field, value, 255);
            case BIND_ERROR_TIMES -> whole(document, field, value, 1_000_000);
            case CLUSTER -> {
                if (!value.isTextual() || !Names.label(value.asText())) {
                    throw document.expected(field, "the name of a member cluster", value);
                }
            }
            default -> {
                if (!value.isTextual() || value.asText().isBlank()) {
                    throw document.expected(field, "a message", value);
                }
            }
        }
    }

    private static String belongs(String key) {
        return OF_OBJECTS.contains(key) ? "it belongs on the object itself" : "it belongs on a Pod or a pod template";
    }

    private static void whole(Document document, String field, JsonNode value, int most) {
        String text = value.asText("");
        if (!value.isTextual()
                || !text.matches("\\d{1,7}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > most) {
            throw document.expected(field, "a whole number in quotes, 1 to " + most, value);
        }
    }
}
