package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Pods from the templates of jobs. */
final class PodTemplates {

    private PodTemplates() {}

    /** A pod with the template's labels, annotations and spec, owned by the job. */
    static ObjectNode pod(StoredObject job, JsonNode template, String name) {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("name", name);
        metadata.set("labels", copy(Json.at(template, "metadata", "labels")));
        metadata.set("annotations", copy(Json.at(template, "metadata", "annotations")));
        own(metadata, job);
        pod.set("spec", copy(template.path("spec")));
        return pod;
    }

    static void own(ObjectNode metadata, StoredObject owner) {
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", owner.kind().apiVersion())
                .put("kind", owner.kind().kind())
                .put("name", owner.key().name())
                .put("uid", owner.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    static ObjectNode copy(JsonNode node) {
        return node instanceof ObjectNode object ? object.deepCopy() : Json.object();
    }

    /** The key of the job of that kind that owns the changed object, or null. */
    static ObjectKey ownerKey(Change change, ResourceKind jobs) {
        for (JsonNode reference : Json.at(change.object(), "metadata", "ownerReferences")) {
            if (reference.path("kind").asText().equals(jobs.kind())
                    && reference.path("apiVersion").asText().equals(jobs.apiVersion())) {
                return new ObjectKey(
                        change.key().namespace(), reference.path("name").asText());
            }
        }
        return null;
    }
}
