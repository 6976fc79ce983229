package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;

/** {@code metadata}: names, labels, annotations. */
final class ObjectMetaChecks {
    private static final int LONGEST_ANNOTATIONS = 256 * 1024;

    private ObjectMetaChecks() {}

    static void check(Document document) {
        JsonNode metadata = document.tree().path("metadata");
        if (!metadata.isObject()) {
            throw document.expected("metadata", "a mapping with a name", metadata);
        }
        JsonNode name = metadata.path("name");
        if (name.isMissingNode() && metadata.has("generateName")) {
            throw document.problem("metadata.generateName: expected metadata.name, as with kubectl apply");
        }
        boolean namespace = document.tree().path("kind").asText().equals("Namespace");
        boolean valid = namespace ? Names.label(name.asText("")) : Names.subdomain(name.asText(""));
        if (!name.isTextual() || !valid) {
            throw document.expected("metadata.name", "small letters, digits, - and ., at most 253 characters", name);
        }
        JsonNode in = metadata.path("namespace");
        if (!in.isMissingNode() && (!in.isTextual() || !Names.label(in.asText()))) {
            throw document.expected("metadata.namespace", "small letters, digits and -, at most 63 characters", in);
        }
        labels(document, "metadata.labels", metadata.path("labels"));
        annotations(document, "metadata.annotations", metadata.path("annotations"));
        for (PodTemplates.Template template : PodTemplates.of(document.tree())) {
            JsonNode of = template.tree().path("metadata");
            labels(document, template.field() + ".metadata.labels", of.path("labels"));
            annotations(document, template.field() + ".metadata.annotations", of.path("annotations"));
        }
    }

    private static void labels(Document document, String field, JsonNode labels) {
        texts(document, field, labels);
        labels.properties().forEach(each -> {
            if (!Names.labelValue(each.getValue().asText())) {
                throw document.expected(
                        field + "[" + each.getKey() + "]", "at most 63 letters, digits, -, _ and .", each.getValue());
            }
        });
    }

    private static void annotations(Document document, String field, JsonNode annotations) {
        texts(document, field, annotations);
        long size = 0;
        for (var each : annotations.properties()) {
            size += each.getKey().length() + each.getValue().asText().length();
        }
        if (size > LONGEST_ANNOTATIONS) {
            throw document.problem(field + ": expected at most 256 KiB in all, got " + (size >> 10));
        }
    }

    private static void texts(Document document, String field, JsonNode texts) {
        if (!texts.isMissingNode() && !texts.isObject()) {
            throw document.expected(field, "a mapping from text to text", texts);
        }
        texts.properties().forEach(each -> {
            if (!Names.labelKey(each.getKey())) {
                throw document.problem(field + ": '" + each.getKey() + "' is not a key of letters, digits, -, _ and .");
            }
            if (!each.getValue().isTextual()) {
                throw document.expected(
                        field + "[" + each.getKey() + "]", "text (a number or true needs quotes)", each.getValue());
            }
        });
    }
}
