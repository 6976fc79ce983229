package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.scenario.Manifest;
import dev.muster.standalone.scenario.Step;
import dev.muster.standalone.scenario.read.KindTable.Row;
import dev.muster.standalone.scenario.read.KindTable.Use;
import dev.muster.standalone.scenario.read.MusterAnnotations.Bearer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A manifest and what its annotations make happen, checked as kubectl and the API server would. */
final class ManifestReader {
    private static final Row CUSTOM = new Row("", List.of(), "", true, Use.NOT_YET, "a custom resource");

    private final Document document;
    private final ObjectNode tree;

    private ManifestReader(Document document) {
        this.document = document;
        this.tree = document.tree();
    }

    static List<Step> read(Document document) {
        return new ManifestReader(document).steps();
    }

    private List<Step> steps() {
        Manifest manifest = manifest();
        JsonNode annotations = tree.path("metadata").path("annotations");
        List<Step> steps = new ArrayList<>();
        long at = moment(annotations, MusterAnnotations.AT).orElse(0L);
        steps.add(new Step.Apply(at, manifest));
        moment(annotations, MusterAnnotations.DELETE_AT).ifPresent(millis -> {
            requireAfter(at, millis, MusterAnnotations.DELETE_AT);
            steps.add(new Step.Delete(millis, manifest));
        });
        TreeSet<String> evictions = new TreeSet<>();
        evictions.add(annotations.path(MusterAnnotations.EVICT_AT).asText(""));
        PodTemplates.of(tree)
                .forEach(template -> evictions.add(template.tree()
                        .path("metadata")
                        .path("annotations")
                        .path(MusterAnnotations.EVICT_AT)
                        .asText("")));
        evictions.remove("");
        for (String asWritten : evictions) {
            long millis = Durations.millis(document, MusterAnnotations.EVICT_AT, tree.textNode(asWritten));
            requireAfter(at, millis, MusterAnnotations.EVICT_AT);
            steps.add(new Step.Evict(millis, manifest, asWritten));
        }
        return steps;
    }

    private void requireAfter(long at, long millis, String annotation) {
        if (millis < at) {
            throw document.problem("metadata.annotations[" + annotation + "]: is before " + MusterAnnotations.AT);
        }
    }

    private Optional<Long> moment(JsonNode annotations, String key) {
        return annotations.has(key)
                ? Optional.of(Durations.millis(document, "metadata.annotations[" + key + "]", annotations.get(key)))
                : Optional.empty();
    }

    private Manifest manifest() {
        String apiVersion = word("apiVersion", "such as v1 or batch/v1");
        String kind = word("kind", "such as Pod");
        Row row = row(apiVersion, kind);
        if (row.use() == KindTable.Use.USED) {
            apiVersion = row.storedAs();
            tree.put("apiVersion", apiVersion);
        }
        Leniencies.apply(document.tree(), apiVersion, kind);
        ObjectMetaChecks.check(document);
        bearersOfAnnotations(kind, row);
        KubernetesModel.check(document);
        KindChecks.check(document, apiVersion, kind);
        JsonNode metadata = tree.path("metadata");
        boolean namespaced = row == CUSTOM ? metadata.has("namespace") : row.namespaced();
        return new Manifest(
                document.place(),
                cluster(),
                apiVersion,
                kind,
                namespaced ? metadata.path("namespace").asText("default") : "",
                metadata.path("name").asText(),
                tree,
                row.use(),
                row.what());
    }

    private String word(String field, String such) {
        JsonNode value = tree.path(field);
        if (!value.isTextual() || value.asText().isBlank()) {
            throw document.expected(field, "one, " + such, value);
        }
        return value.asText();
    }

    private Row row(String apiVersion, String kind) {
        Optional<Row> row = KindTable.find(apiVersion, kind);
        if (row.isPresent()) {
            return row.get();
        }
        List<String> meant = KindTable.meant(apiVersion, kind);
        if (!meant.isEmpty()) {
            throw document.problem("apiVersion: expected " + String.join(" or ", meant) + " for kind " + kind
                    + ", got '" + apiVersion + "'");
        }
        if (!apiVersion.contains("/")) {
            throw document.expected(
                    "kind",
                    "one of " + String.join(", ", KindTable.coreKinds()) + " in apiVersion v1",
                    tree.path("kind"));
        }
        if (!apiVersion.matches("[a-z0-9.-]+/v[0-9][a-z0-9]*")) {
            throw document.expected("apiVersion", "group/version", tree.path("apiVersion"));
        }
        return CUSTOM;
    }

    private void bearersOfAnnotations(String kind, Row row) {
        Bearer bearer = row == CUSTOM
                ? Bearer.OTHER
                : switch (kind) {
                    case "Pod" -> Bearer.POD;
                    case "Node" -> Bearer.NODE;
                    case "PersistentVolumeClaim" -> Bearer.CLAIM;
                    case "StorageClass" -> Bearer.STORAGE_CLASS;
                    default -> Bearer.OTHER;
                };
        MusterAnnotations.check(
                document, "metadata.annotations", tree.path("metadata").path("annotations"), bearer);
        for (PodTemplates.Template template : PodTemplates.of(tree)) {
            MusterAnnotations.check(
                    document,
                    template.field() + ".metadata.annotations",
                    template.tree().path("metadata").path("annotations"),
                    Bearer.TEMPLATE);
        }
    }

    /** Its own annotation, or that of its pod templates: a job's pods are made in the cluster the job lives in. */
    private String cluster() {
        String own = tree.path("metadata")
                .path("annotations")
                .path(MusterAnnotations.CLUSTER)
                .asText("");
        String cluster = own;
        for (PodTemplates.Template template : PodTemplates.of(tree)) {
            String of = template.tree()
                    .path("metadata")
                    .path("annotations")
                    .path(MusterAnnotations.CLUSTER)
                    .asText("");
            if (!of.isEmpty() && !cluster.isEmpty() && !of.equals(cluster)) {
                throw document.problem(template.field() + ".metadata.annotations[" + MusterAnnotations.CLUSTER
                        + "]: expected " + cluster + ", where the object itself is, got '" + of + "'");
            }
            cluster = of.isEmpty() ? cluster : of;
        }
        return cluster.isEmpty() ? Manifest.DEFAULT_CLUSTER : cluster;
    }
}
