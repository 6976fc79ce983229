package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.TreeMap;

/** A virtual cluster with one node, and the smallest scheduler: every pod is bound at once, every group may go ahead. */
final class JobRig {

    private static final long START = 1_700_000_000_000L;

    final VirtualTime time = new VirtualTime(START);
    final VirtualCluster cluster = new VirtualCluster(SimulatedClusterOptions.DEFAULT.withCreateNamespaces(true), time);
    /** Whether pods are bound; groups go ahead in any case. */
    boolean binding = true;

    JobRig() {
        cluster.store().apply(Manifests.node("n1", 64, 0));
        time.afterEach(this::schedule);
    }

    private void schedule() {
        for (JsonNode group : cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS)) {
            if (Json.text(group, "status", "phase").isEmpty()) {
                cluster.store()
                        .edit(
                                ResourceKinds.VOLCANO_POD_GROUPS,
                                Json.text(group, "metadata", "namespace"),
                                Json.text(group, "metadata", "name"),
                                changed -> changed.putObject("status").put("phase", "Inqueue"));
            }
        }
        for (JsonNode pod : binding ? cluster.store().list(ResourceKinds.PODS) : List.<JsonNode>of()) {
            boolean waits = Json.text(pod, "spec", "nodeName").isEmpty();
            if (waits && !pod.path("metadata").has("deletionTimestamp")) {
                String name = Json.text(pod, "metadata", "name");
                cluster.request(
                        "POST",
                        "/api/v1/namespaces/default/pods/" + name + "/binding",
                        "application/json",
                        "{\"metadata\":{\"name\":\"" + name + "\"},\"target\":{\"name\":\"n1\"}}");
            }
        }
    }

    JobRig apply(String yaml) {
        cluster.store().applyYaml(yaml);
        return this;
    }

    /** Lets time pass to that many seconds after the start. */
    JobRig at(int seconds) {
        time.runUntil(START + seconds * 1000L);
        return this;
    }

    VirtualCluster.Answer evict(String pod) {
        return cluster.request(
                "POST",
                "/api/v1/namespaces/default/pods/" + pod + "/eviction",
                "application/json",
                "{\"metadata\":{\"name\":\"" + pod + "\"}}");
    }

    void command(String job, String action) {
        apply("""
                apiVersion: bus.volcano.sh/v1alpha1
                kind: Command
                metadata: {generateName: do-, namespace: default}
                action: %s
                target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: %s}
                """.formatted(action, job));
    }

    /** Pods and their phases by name; those that are being deleted are {@code Terminating}. */
    TreeMap<String, String> pods() {
        TreeMap<String, String> phases = new TreeMap<>();
        for (JsonNode pod : cluster.store().list(ResourceKinds.PODS)) {
            boolean leaving = pod.path("metadata").has("deletionTimestamp");
            phases.put(Json.text(pod, "metadata", "name"), leaving ? "Terminating" : Json.text(pod, "status", "phase"));
        }
        return phases;
    }

    JsonNode pod(String name) {
        return cluster.store().get(ResourceKinds.PODS, "default", name).orElseThrow();
    }

    String uid(String pod) {
        return Json.text(pod(pod), "metadata", "uid");
    }

    JsonNode volcanoJob() {
        return cluster.store().list(ResourceKinds.VOLCANO_JOBS).getFirst();
    }

    String phase() {
        return Json.text(volcanoJob(), "status", "state", "phase");
    }

    int retries() {
        return Json.at(volcanoJob(), "status", "retryCount").asInt();
    }

    JsonNode batchJob() {
        return cluster.store().list(ResourceKinds.JOBS).getFirst();
    }

    /** The condition of that type's reason where it is true; empty where it is not. */
    static String reason(JsonNode object, String condition) {
        for (JsonNode each : Json.at(object, "status", "conditions")) {
            if (each.path("type").asText().equals(condition)
                    && each.path("status").asText().equals("True")) {
                return each.path("reason").asText();
            }
        }
        return "";
    }
}
