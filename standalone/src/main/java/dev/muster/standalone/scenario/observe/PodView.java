package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.PodResources;
import java.util.Map;
import java.util.Set;

/**
 * A pod as it is now.
 *
 * @param node empty while it has none
 * @param disrupted why it was or is being evicted; empty where it is not
 * @param ours whether Muster schedules it
 * @param owner kind and name of the controller that made it, {@code Job/train}; empty where nobody did
 * @param group name of its pod group; empty where it is in none
 * @param queueHint the queue its own labels or annotations name; may be empty
 * @param requestsMilli what it requests, in thousandths per resource
 */
public record PodView(
        String cluster,
        String namespace,
        String name,
        String uid,
        String node,
        String phase,
        boolean deleting,
        String disrupted,
        boolean ours,
        String owner,
        String group,
        String queueHint,
        Map<String, Long> requestsMilli) {
    private static final Set<String> OUR_SCHEDULERS = Set.of("muster", "volcano");
    private static final String KUEUE_QUEUE = "kueue.x-k8s.io/queue-name";

    static PodView of(String cluster, JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        JsonNode annotations = metadata.path("annotations");
        JsonNode labels = metadata.path("labels");
        String volcano = text(annotations, "volcano.sh/queue-name", text(labels, "volcano.sh/queue-name", ""));
        return new PodView(
                cluster,
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                pod.path("spec").path("nodeName").asText(""),
                pod.path("status").path("phase").asText("Pending"),
                metadata.has("deletionTimestamp"),
                disruption(pod),
                OUR_SCHEDULERS.contains(pod.path("spec").path("schedulerName").asText()),
                owner(metadata),
                text(
                        annotations,
                        "scheduling.k8s.io/group-name",
                        text(labels, "scheduling.x-k8s.io/pod-group", text(annotations, "pod-group-name", ""))),
                text(labels, KUEUE_QUEUE, volcano),
                PodResources.requests(pod));
    }

    private static String disruption(JsonNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("DisruptionTarget")
                    && condition.path("status").asText().equals("True")) {
                return condition.path("reason").asText("DisruptionTarget");
            }
        }
        return "";
    }

    private static String owner(JsonNode metadata) {
        for (JsonNode reference : metadata.path("ownerReferences")) {
            if (reference.path("controller").asBoolean()) {
                return reference.path("kind").asText() + "/"
                        + reference.path("name").asText();
            }
        }
        return "";
    }

    private static String text(JsonNode object, String field, String otherwise) {
        String text = object.path(field).asText("");
        return text.isEmpty() ? otherwise : text;
    }

    /** Namespace and name. */
    public String path() {
        return namespace + "/" + name;
    }

    /** Cluster and node: what tells nodes of one name apart. */
    public String where() {
        return cluster + "/" + node;
    }

    public boolean finished() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Whether it takes room on a node. */
    public boolean holdsRoom() {
        return !node.isEmpty() && !finished();
    }

    /** Has a node, is not finished and not being deleted. */
    public boolean bound() {
        return holdsRoom() && !deleting;
    }

    /** Is being deleted and still takes room. */
    public boolean terminating() {
        return holdsRoom() && deleting;
    }

    /** What it belongs to, for people: its job, its group, or itself. */
    public String belongsTo() {
        if (!owner.isEmpty()) {
            return namespace + "/" + owner.substring(owner.indexOf('/') + 1);
        }
        return group.isEmpty() ? path() : namespace + "/" + group;
    }
}
