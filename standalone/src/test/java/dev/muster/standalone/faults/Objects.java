package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Kubernetes objects as JSON, as a seed's workload needs them. */
final class Objects {
    static final String NAMESPACE = "ml";

    /** Label that names a workload's LocalQueue. */
    static final String QUEUE = "kueue.x-k8s.io/queue-name";

    private static final String KUEUE = "kueue.x-k8s.io/v1beta2";

    private Objects() {}

    /** A class whose volumes are made where a claim has its node. */
    static final String SCRATCH = "scratch";

    /** What the pods of one gang are like; with scratch each has a volume of its own that is made for it. */
    record PodShape(Ask ask, long runtimeSeconds, long graceSeconds, boolean scratch) {
        PodShape withScratch(boolean wanted) {
            return new PodShape(ask, runtimeSeconds, graceSeconds, wanted);
        }
    }

    private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    static ObjectNode node(String name, Ask has) {
        ObjectNode node = object("v1", "Node", "", name);
        node.withObject("/metadata/labels").put("kubernetes.io/hostname", name);
        node.putObject("spec");
        ObjectNode status = node.putObject("status");
        for (String field : List.of("capacity", "allocatable")) {
            ObjectNode amounts = status.putObject(field)
                    .put("cpu", has.cpuMilli() + "m")
                    .put("memory", has.memoryMib() + "Mi")
                    .put("pods", String.valueOf(has.pods()));
            if (has.gpus() > 0) {
                amounts.put(Ask.GPU, String.valueOf(has.gpus()));
            }
        }
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        return node;
    }

    static ObjectNode scratchClass() {
        ObjectNode storageClass = object("storage.k8s.io/v1", "StorageClass", "", SCRATCH);
        return storageClass.put("provisioner", "disk.csi").put("volumeBindingMode", "WaitForFirstConsumer");
    }

    static ObjectNode pod(String name, PodShape shape) {
        ObjectNode pod = object("v1", "Pod", NAMESPACE, name);
        fill(pod, shape);
        ((ObjectNode) pod.get("spec")).put("schedulerName", "muster");
        return pod;
    }

    /** A PodTemplateSpec. */
    static ObjectNode template(PodShape shape) {
        ObjectNode template = JsonNodeFactory.instance.objectNode();
        template.putObject("metadata");
        fill(template, shape);
        return template;
    }

    private static void fill(ObjectNode pod, PodShape shape) {
        ObjectNode annotations = pod.withObject("/metadata/annotations");
        annotations.put("muster.dev/runtime", shape.runtimeSeconds() + "s");
        if (shape.ask().gpuMilli() > 0) {
            annotations.put(
                    Ask.FRACTION, "0." + String.format("%03d", shape.ask().gpuMilli()));
        }
        ObjectNode spec = pod.putObject("spec")
                .put("restartPolicy", "Never")
                .put("terminationGracePeriodSeconds", shape.graceSeconds());
        if (shape.scratch()) {
            ObjectNode claim = spec.putArray("volumes")
                    .addObject()
                    .put("name", SCRATCH)
                    .putObject("ephemeral")
                    .putObject("volumeClaimTemplate")
                    .putObject("spec")
                    .put("storageClassName", SCRATCH);
            claim.putArray("accessModes").add("ReadWriteOnce");
            claim.putObject("resources").putObject("requests").put("storage", "1Gi");
        }
        ObjectNode resources = spec.putArray("containers")
                .addObject()
                .put("name", "main")
                .put("image", "train:1")
                .putObject("resources");
        for (String field : List.of("requests", "limits")) {
            ObjectNode amounts = resources
                    .putObject(field)
                    .put("cpu", shape.ask().cpuMilli() + "m")
                    .put("memory", shape.ask().memoryMib() + "Mi");
            if (shape.ask().gpus() > 0) {
                amounts.put(Ask.GPU, String.valueOf(shape.ask().gpus()));
            }
        }
    }

    static ObjectNode inPodGroup(ObjectNode pod, String group) {
        pod.withObject("/metadata/labels").put("scheduling.x-k8s.io/pod-group", group);
        return pod;
    }

    static ObjectNode inVolcanoGroup(ObjectNode pod, String group) {
        pod.withObject("/metadata/annotations").put("scheduling.k8s.io/group-name", group);
        return pod;
    }

    static ObjectNode podGroup(String name, int minMember) {
        ObjectNode group = object("scheduling.x-k8s.io/v1alpha1", "PodGroup", NAMESPACE, name);
        group.putObject("spec").put("minMember", minMember);
        return group;
    }

    static ObjectNode volcanoGroup(String name, int minMember) {
        ObjectNode group = object("scheduling.volcano.sh/v1beta1", "PodGroup", NAMESPACE, name);
        group.putObject("spec").put("minMember", minMember);
        return group;
    }

    static ObjectNode volcanoJob(String name, int replicas, int minAvailable, PodShape shape) {
        ObjectNode job = object("batch.volcano.sh/v1alpha1", "Job", NAMESPACE, name);
        ObjectNode spec = job.putObject("spec").put("schedulerName", "muster").put("minAvailable", minAvailable);
        ObjectNode task =
                spec.putArray("tasks").addObject().put("name", "worker").put("replicas", replicas);
        task.set("template", template(shape));
        return job;
    }

    static ObjectNode priorityClass(String name, int value) {
        return object("scheduling.k8s.io/v1", "PriorityClass", "", name).put("value", value);
    }

    static ObjectNode flavor(String name) {
        return object(KUEUE, "ResourceFlavor", "", name);
    }

    /**
     * A queue of the one cohort there is, with GPUs of its own and as many to borrow as it likes (-1) or as are given; of
     * the rest it has more than anybody asks for.
     */
    static ObjectNode clusterQueue(String name, int nominalGpus, int borrowingGpus, boolean reclaims) {
        ObjectNode queue = object(KUEUE, "ClusterQueue", "", name);
        ObjectNode spec = queue.putObject("spec").put("cohortName", "cohort");
        spec.putObject("namespaceSelector");
        spec.putObject("preemption")
                .put("reclaimWithinCohort", reclaims ? "Any" : "Never")
                .put("withinClusterQueue", reclaims ? "LowerPriority" : "Never");
        ObjectNode group = spec.putArray("resourceGroups").addObject();
        group.putArray("coveredResources").add("cpu").add("memory").add(Ask.GPU);
        ArrayNode quotas =
                group.putArray("flavors").addObject().put("name", "any").putArray("resources");
        quotas.addObject().put("name", "cpu").put("nominalQuota", "1000");
        quotas.addObject().put("name", "memory").put("nominalQuota", "4000Gi");
        ObjectNode gpus = quotas.addObject().put("name", Ask.GPU).put("nominalQuota", nominalGpus);
        if (borrowingGpus >= 0) {
            gpus.put("borrowingLimit", borrowingGpus);
        }
        return queue;
    }

    /** Another number of GPUs of its own. */
    static void nominal(ObjectNode queue, int gpus) {
        ((ObjectNode) queue.at("/spec/resourceGroups/0/flavors/0/resources/2")).put("nominalQuota", gpus);
    }

    /** A LocalQueue that leads to the ClusterQueue of its name. */
    static ObjectNode localQueue(String name) {
        ObjectNode queue = object(KUEUE, "LocalQueue", NAMESPACE, name);
        queue.putObject("spec").put("clusterQueue", name);
        return queue;
    }

    /** The object's workload is one of that queue; of none where the name is empty. */
    static ObjectNode inQueue(ObjectNode object, String queue) {
        if (!queue.isEmpty()) {
            object.withObject("/metadata/labels").put(QUEUE, queue);
        }
        return object;
    }

    /** A pod, or the template of pods, of that priority and queue; none where a name is empty. */
    static ObjectNode inWorld(ObjectNode pod, String priorityClass, String queue) {
        if (!priorityClass.isEmpty()) {
            pod.withObject("/spec").put("priorityClassName", priorityClass);
        }
        return inQueue(pod, queue);
    }
}
