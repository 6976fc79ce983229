package dev.muster.standalone.kill;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import java.util.List;

/**
 * Something to place: pods that must start together, or one alone. Its pods carry its name and size as labels, by which
 * the oracle knows what belongs together without knowing how Muster does.
 *
 * @param name unique in a run
 * @param kind how it comes
 * @param pods how many, all of them needed
 * @param gpus of each pod
 * @param runtimeMillis how long a pod runs
 */
record Workload(String name, Kind kind, int pods, int gpus, long runtimeMillis) {
    static final String NAME = "load.test/name";
    static final String SIZE = "load.test/size";
    static final String GPU = "nvidia.com/gpu";

    /** How a workload comes to Muster. */
    enum Kind {
        /** Group and pods through the API server. */
        GANG,
        /** One pod through the API server. */
        LONE_POD,
        /** An event on the tenant's topic. */
        JOB
    }

    ObjectNode group() {
        ObjectNode group = object("scheduling.x-k8s.io/v1alpha1", "PodGroup", name);
        group.putObject("spec").put("minMember", pods);
        return group;
    }

    /** The pod of this number, as its owner makes it. */
    ObjectNode pod(int index) {
        ObjectNode pod = object("v1", "Pod", kind == Kind.GANG ? name + "-" + index : name);
        fill(pod);
        if (kind == Kind.GANG) {
            pod.withObject("/metadata/labels").put("scheduling.x-k8s.io/pod-group", name);
        }
        ((ObjectNode) pod.get("spec")).put("schedulerName", "muster");
        return pod;
    }

    JobSpec job() {
        ObjectNode template = JsonNodeFactory.instance.objectNode();
        template.putObject("metadata");
        fill(template);
        return JobSpec.newBuilder()
                .setTasks(List.of(JobTask.newBuilder()
                        .setName("worker")
                        .setReplicas(pods)
                        .setPodTemplate(template.toString())
                        .build()))
                .build();
    }

    private void fill(ObjectNode pod) {
        pod.withObject("/metadata/labels").put(NAME, name).put(SIZE, Integer.toString(pods));
        pod.withObject("/metadata/annotations").put("muster.dev/runtime", runtimeMillis + "ms");
        ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never").put("terminationGracePeriodSeconds", 1);
        ObjectNode container =
                spec.putArray("containers").addObject().put("name", "main").put("image", "train:1");
        for (String field : List.of("requests", "limits")) {
            ObjectNode amounts =
                    container.withObject("/resources/" + field).put("cpu", "1").put("memory", "1Gi");
            if (gpus > 0) {
                amounts.put(GPU, Integer.toString(gpus));
            }
        }
    }

    static ObjectNode node(String name, int gpus) {
        ObjectNode node = object("v1", "Node", name);
        ((ObjectNode) node.get("metadata")).remove("namespace");
        node.putObject("spec");
        for (String field : List.of("capacity", "allocatable")) {
            node.withObject("/status/" + field)
                    .put("cpu", "64")
                    .put("memory", "256Gi")
                    .put("pods", "110")
                    .put(GPU, Integer.toString(gpus));
        }
        return node;
    }

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name).put("namespace", "default");
        return object;
    }
}
