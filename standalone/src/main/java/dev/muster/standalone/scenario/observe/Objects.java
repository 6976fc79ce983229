package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Jobs, groups, queues and Workloads as they are now. */
final class Objects {
    private static final String KUEUE_QUEUE = "kueue.x-k8s.io/queue-name";

    /** A job changed its state. */
    record StateChange(String subject, String text) {}

    /** One object; {@code gone} when it was deleted: its last form is kept. */
    record Kept(String cluster, String namespace, String name, JsonNode tree, boolean gone) {}

    private final TreeMap<String, TreeMap<String, Kept>> byKind = new TreeMap<>();
    private final TreeSet<String> queuesEver = new TreeSet<>();

    Optional<StateChange> changed(String cluster, JsonNode object, boolean gone) {
        String apiVersion = object.path("apiVersion").asText();
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        String kind = object.path("kind").asText() + (group.isEmpty() ? "" : "." + group);
        JsonNode metadata = object.path("metadata");
        Kept kept = new Kept(
                cluster,
                metadata.path("namespace").asText(""),
                metadata.path("name").asText(),
                object,
                gone);
        Kept before = byKind.computeIfAbsent(kind, unused -> new TreeMap<>()).put(key(kept), kept);
        if (kind.equals(Kinds.VOLCANO_QUEUE) || kind.equals(Kinds.CLUSTER_QUEUE)) {
            queuesEver.add(kept.name());
        }
        return news(kind, before, kept);
    }

    private static Optional<StateChange> news(String kind, Kept before, Kept now) {
        if (!kind.equals(Kinds.VOLCANO_JOB) && !kind.equals(Kinds.JOB) || now.gone()) {
            return Optional.empty();
        }
        String state = WorkloadStates.ofJob(kind, now.tree());
        String was = before == null || before.gone() ? "" : WorkloadStates.ofJob(kind, before.tree());
        boolean worthSaying = !state.equals(was) && !(was.isEmpty() && state.equals("Pending"));
        return worthSaying
                ? Optional.of(new StateChange(now.namespace() + "/" + now.name(), "is " + state))
                : Optional.empty();
    }

    private static String key(Kept kept) {
        return kept.cluster() + "|" + kept.namespace() + "|" + kept.name();
    }

    List<Kept> of(String kind) {
        return new ArrayList<>(byKind.getOrDefault(kind, new TreeMap<>()).values());
    }

    private Optional<Kept> find(String kind, String cluster, String namespace, String name) {
        return Optional.ofNullable(
                byKind.getOrDefault(kind, new TreeMap<>()).get(cluster + "|" + namespace + "|" + name));
    }

    boolean everQueue(String name) {
        return queuesEver.contains(name);
    }

    /** The ClusterQueue or Volcano Queue that a pod is charged to. */
    String queueOf(PodView pod) {
        Optional<String> local = localQueue(pod)
                .flatMap(name -> find(Kinds.LOCAL_QUEUE, pod.cluster(), pod.namespace(), name))
                .map(queue -> queue.tree().path("spec").path("clusterQueue").asText());
        if (local.isPresent()) {
            return local.get();
        }
        if (!pod.queueHint().isEmpty()) {
            return pod.queueHint();
        }
        String ofGroup = find(Kinds.VOLCANO_POD_GROUP, pod.cluster(), pod.namespace(), pod.group())
                .map(group -> group.tree().path("spec").path("queue").asText(""))
                .orElse("");
        return ofGroup.isEmpty() ? "default" : ofGroup;
    }

    private Optional<String> localQueue(PodView pod) {
        if (!pod.queueHint().isEmpty()) {
            return Optional.of(pod.queueHint());
        }
        if (!pod.owner().startsWith("Job/")) {
            return Optional.empty();
        }
        return find(Kinds.JOB, pod.cluster(), pod.namespace(), pod.owner().substring("Job/".length()))
                .map(job -> job.tree()
                        .path("metadata")
                        .path("labels")
                        .path(KUEUE_QUEUE)
                        .asText(""))
                .filter(name -> !name.isEmpty());
    }
}
