package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Kubernetes objects as JSON, as far as the demo needs them. */
final class Manifests {
    static final String GPU = "nvidia.com/gpu";
    static final String GPU_PRODUCT = "nvidia.com/gpu.product";
    static final String SCHEDULER = "muster";

    private Manifests() {}

    /**
     * What one pod asks for.
     *
     * @param cpuMillis cpu in thousandths of a core
     * @param memoryMib memory in MiB
     * @param gpus whole GPUs
     * @param gpuMilli thousandths of one GPU, for a pod that shares; 0 otherwise
     */
    record Ask(long cpuMillis, long memoryMib, int gpus, int gpuMilli) {
        static Ask ofGpus(int gpus) {
            return new Ask(8_000L * gpus, 64L * 1024 * gpus, gpus, 0);
        }

        static Ask ofShare(int gpuMilli) {
            return new Ask(4_000, 32 * 1024, 0, gpuMilli);
        }

        static Ask ofCpus(int cpus) {
            return new Ask(1_000L * cpus, 4L * 1024 * cpus, 0, 0);
        }
    }

    /**
     * Where a pod may go.
     *
     * @param models GPU models that will do; empty means any
     * @param tolerates value of the taint {@code dedicated} that the pod tolerates; empty for none
     */
    record Where(List<String> models, String tolerates) {
        static final Where ANY = new Where(List.of(), "");
    }

    static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    static ObjectNode namespace(String name) {
        return object("v1", "Namespace", "", name);
    }

    static ObjectNode queue(String name, int weight) {
        ObjectNode queue = object("scheduling.volcano.sh/v1beta1", "Queue", "", name);
        queue.putObject("spec").put("weight", weight).put("reclaimable", true);
        queue.putObject("status").put("state", "Open");
        return queue;
    }

    static ObjectNode node(
            String name, Map<String, String> labels, long cpuMillis, long memoryMib, int gpus, int pods) {
        ObjectNode node = object("v1", "Node", "", name);
        ObjectNode into =
                ((ObjectNode) node.get("metadata")).putObject("labels").put("kubernetes.io/hostname", name);
        labels.forEach(into::put);
        node.putObject("spec");
        ObjectNode status = node.putObject("status");
        for (String field : List.of("capacity", "allocatable")) {
            ObjectNode amounts = status.putObject(field)
                    .put("cpu", cpuMillis + "m")
                    .put("memory", memoryMib + "Mi")
                    .put("pods", String.valueOf(pods));
            if (gpus > 0) {
                amounts.put(GPU, String.valueOf(gpus));
            }
        }
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("reason", "KubeletReady");
        return node;
    }

    static ObjectNode cordon(ObjectNode node) {
        ((ObjectNode) node.get("spec")).put("unschedulable", true);
        return node;
    }

    static ObjectNode dedicate(ObjectNode node, String to) {
        ((ObjectNode) node.get("spec"))
                .putArray("taints")
                .addObject()
                .put("key", "dedicated")
                .put("value", to)
                .put("effect", "NoSchedule");
        return node;
    }

    static ObjectNode pod(String namespace, String name, Ask ask, Where where, long runtimeMillis) {
        ObjectNode pod = object("v1", "Pod", namespace, name);
        fillPod(pod, ask, where, runtimeMillis);
        ((ObjectNode) pod.get("spec")).put("schedulerName", SCHEDULER);
        return pod;
    }

    static ObjectNode podGroup(String namespace, String name, int minMember) {
        ObjectNode group = object("scheduling.x-k8s.io/v1alpha1", "PodGroup", namespace, name);
        group.putObject("spec").put("minMember", minMember).put("scheduleTimeoutSeconds", 60);
        return group;
    }

    static ObjectNode batchJob(String namespace, String name, int pods, Ask ask, Where where, long runtimeMillis) {
        ObjectNode job = object("batch/v1", "Job", namespace, name);
        ObjectNode spec = job.putObject("spec").put("parallelism", pods).put("completions", pods);
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata");
        fillPod(template, ask, where, runtimeMillis);
        ((ObjectNode) template.get("spec")).put("schedulerName", SCHEDULER);
        return job;
    }

    static ObjectNode volcanoJob(String namespace, String name, String queue, int minAvailable) {
        ObjectNode job = object("batch.volcano.sh/v1alpha1", "Job", namespace, name);
        job.putObject("spec")
                .put("schedulerName", SCHEDULER)
                .put("queue", queue)
                .put("minAvailable", minAvailable)
                .putArray("tasks");
        return job;
    }

    static ObjectNode addTask(ObjectNode job, String task, int replicas, Ask ask, Where where, long runtimeMillis) {
        ObjectNode into =
                job.withArray("/spec/tasks").addObject().put("name", task).put("replicas", replicas);
        ObjectNode template = into.putObject("template");
        template.putObject("metadata");
        fillPod(template, ask, where, runtimeMillis);
        return job;
    }

    static void label(ObjectNode object, String key, String value) {
        object.withObject("/metadata/labels").put(key, value);
    }

    static void annotate(ObjectNode object, String key, String value) {
        object.withObject("/metadata/annotations").put(key, value);
    }

    /** Spec and annotations of a pod or of a pod template; runs for ever when the run time is 0. */
    private static void fillPod(ObjectNode pod, Ask ask, Where where, long runtimeMillis) {
        if (runtimeMillis > 0) {
            annotate(pod, "muster.dev/runtime", runtimeMillis + "ms");
        }
        if (ask.gpuMilli() > 0) {
            annotate(pod, "muster.dev/gpu-fraction", "0." + String.format("%03d", ask.gpuMilli()));
        }
        ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never").put("terminationGracePeriodSeconds", 1);
        ObjectNode container =
                spec.putArray("containers").addObject().put("name", "main").put("image", "demo/train:1");
        ObjectNode resources = container.putObject("resources");
        for (String field : List.of("requests", "limits")) {
            ObjectNode amounts =
                    resources.putObject(field).put("cpu", ask.cpuMillis() + "m").put("memory", ask.memoryMib() + "Mi");
            if (ask.gpus() > 0) {
                amounts.put(GPU, String.valueOf(ask.gpus()));
            }
        }
        if (!where.models().isEmpty()) {
            ObjectNode expression = spec.withArray(
                            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms")
                    .addObject()
                    .putArray("matchExpressions")
                    .addObject()
                    .put("key", GPU_PRODUCT)
                    .put("operator", "In");
            where.models().forEach(expression.putArray("values")::add);
        }
        if (!where.tolerates().isEmpty()) {
            spec.putArray("tolerations")
                    .addObject()
                    .put("key", "dedicated")
                    .put("operator", "Equal")
                    .put("value", where.tolerates())
                    .put("effect", "NoSchedule");
        }
    }
}
