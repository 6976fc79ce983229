package dev.muster.standalone.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which objects of a kind a list or watch is about: a namespace (empty for all), labels, and the fields that count. */
final class Selector {

    private record FieldTerm(String[] path, boolean equal, String value) {
        boolean matches(StoredObject object) {
            return Json.text(object.json(), path).equals(value) == equal;
        }
    }

    private static final Set<String> ANY_KIND = Set.of("metadata.name", "metadata.namespace");
    private static final Set<String> PODS = Set.of(
            "spec.nodeName", "spec.schedulerName", "spec.restartPolicy", "spec.serviceAccountName", "status.phase");
    private static final Set<String> EVENTS = Set.of(
            "involvedObject.name",
            "involvedObject.namespace",
            "involvedObject.kind",
            "involvedObject.uid",
            "reason",
            "type");

    private final String namespace;
    private final LabelSelector labels;
    private final List<FieldTerm> fields;

    private Selector(String namespace, LabelSelector labels, List<FieldTerm> fields) {
        this.namespace = namespace;
        this.labels = labels;
        this.fields = fields;
    }

    /**
     * Reads both query parameters.
     *
     * @throws ApiException 400 for a field that a real API server can not select this kind by
     */
    static Selector parse(ResourceKind kind, String namespace, String labelSelector, String fieldSelector) {
        List<FieldTerm> fields = new ArrayList<>();
        if (fieldSelector != null && !fieldSelector.isBlank()) {
            for (String part : fieldSelector.split(",")) {
                fields.add(term(kind, part));
            }
        }
        return new Selector(namespace, LabelSelector.parse(labelSelector), fields);
    }

    private static FieldTerm term(ResourceKind kind, String part) {
        int at = part.indexOf('=');
        if (at < 1) {
            throw ApiException.badRequest("invalid field selector: " + part);
        }
        boolean equal = part.charAt(at - 1) != '!';
        String field = part.substring(0, equal ? at : at - 1);
        String value = part.substring(part.startsWith("==", at) ? at + 2 : at + 1);
        boolean known = ANY_KIND.contains(field)
                || kind.equals(ResourceKinds.PODS) && PODS.contains(field)
                || kind.equals(ResourceKinds.EVENTS) && EVENTS.contains(field)
                || kind.equals(ResourceKinds.JOBS) && field.equals("status.successful")
                || kind.equals(ResourceKinds.NAMESPACES) && field.equals("status.phase");
        if (!known) {
            throw ApiException.badRequest("field label not supported: " + field);
        }
        return new FieldTerm(field.split("\\."), equal, value);
    }

    boolean matches(StoredObject object) {
        if (!namespace.isEmpty() && !namespace.equals(object.key().namespace())) {
            return false;
        }
        for (FieldTerm field : fields) {
            if (!field.matches(object)) {
                return false;
            }
        }
        return labels.isEverything()
                || labels.matches(object.json().path("metadata").path("labels"));
    }
}
