package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Where a manifest is taken for what it plainly means, different from kubectl. Changes the tree. */
final class Leniencies {
    private static final String KUEUE_QUEUE = "kueue.x-k8s.io/queue-name";

    private Leniencies() {}

    static void apply(ObjectNode tree, String apiVersion, String kind) {
        if (tree.path("metadata") instanceof ObjectNode metadata) {
            // What kubectl get shows of a running cluster: owners have other uids here, and would be missed.
            metadata.remove(List.of("managedFields", "ownerReferences"));
        }
        numbersToText(tree.path("metadata").path("annotations"));
        PodTemplates.of(tree)
                .forEach(template ->
                        numbersToText(template.tree().path("metadata").path("annotations")));
        boolean batchJob = apiVersion.equals("batch/v1") && kind.equals("Job");
        if (batchJob && tree.path("metadata").path("labels").has(KUEUE_QUEUE)) {
            ours(tree.path("spec").path("template").path("spec"));
        }
    }

    /** {@code muster.dev/exit-code: 3} needs no quotes: nobody but us reads it. */
    private static void numbersToText(JsonNode annotations) {
        if (annotations instanceof ObjectNode object) {
            object.properties().forEach(each -> {
                if (each.getKey().startsWith(MusterAnnotations.PREFIX)
                        && each.getValue().isNumber()) {
                    each.setValue(object.textNode(each.getValue().asText()));
                }
            });
        }
    }

    /** The queue-name label makes a Job one for Muster, as it makes it one for Kueue; its pods need not name a scheduler. */
    private static void ours(JsonNode pod) {
        if (pod instanceof ObjectNode object && !object.has("schedulerName")) {
            object.put("schedulerName", "muster");
        }
    }
}
