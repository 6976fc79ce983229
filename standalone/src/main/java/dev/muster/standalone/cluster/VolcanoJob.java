package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The spec of a Volcano Job with the defaults of its admission webhook, and the objects that its controller makes of it.
 *
 * @param groupKey key of the job's PodGroup, {@code <job>-<uid>}
 */
record VolcanoJob(
        String name,
        ObjectKey groupKey,
        int minAvailable,
        String queue,
        String schedulerName,
        String priorityClassName,
        List<Task> tasks) {

    /** One task: {@code replicas} pods of one template. */
    record Task(String name, int replicas, int minAvailable, JsonNode template) {}

    static final String TASK = "volcano.sh/task-spec";

    static VolcanoJob of(StoredObject job) {
        JsonNode spec = job.json().path("spec");
        List<Task> tasks = new ArrayList<>();
        int total = 0;
        for (JsonNode task : spec.path("tasks")) {
            int replicas = task.path("replicas").asInt(1);
            tasks.add(new Task(
                    text(task, "name", "default" + tasks.size()),
                    replicas,
                    task.path("minAvailable").asInt(replicas),
                    task.path("template")));
            total += replicas;
        }
        int minAvailable = spec.path("minAvailable").asInt(0);
        return new VolcanoJob(
                job.key().name(),
                new ObjectKey(job.key().namespace(), job.key().name() + "-" + job.uid()),
                minAvailable > 0 ? minAvailable : total,
                text(spec, "queue", "default"),
                text(spec, "schedulerName", "volcano"),
                spec.path("priorityClassName").asText(""),
                tasks);
    }

    int total() {
        return tasks.stream().mapToInt(Task::replicas).sum();
    }

    String podName(Task task, int i) {
        return name + "-" + task.name() + "-" + i;
    }

    ObjectNode pod(StoredObject job, Task task, int i) {
        ObjectNode pod = PodTemplates.pod(job, task.template(), podName(task, i));
        ObjectNode labels = (ObjectNode) Json.at(pod, "metadata", "labels");
        ObjectNode annotations = (ObjectNode) Json.at(pod, "metadata", "annotations");
        for (ObjectNode target : List.of(labels, annotations)) {
            target.put("volcano.sh/job-name", name)
                    .put("volcano.sh/queue-name", queue)
                    .put(TASK, task.name())
                    .put("volcano.sh/task-index", Integer.toString(i));
        }
        labels.put("volcano.sh/job-namespace", job.key().namespace());
        annotations
                .put("scheduling.k8s.io/group-name", groupKey.name())
                .put("volcano.sh/job-version", "0")
                .put("volcano.sh/template-uid", name + "-" + task.name());
        ObjectNode spec = (ObjectNode) pod.get("spec");
        if (spec.path("schedulerName").asText("").isEmpty()) {
            spec.put("schedulerName", schedulerName);
        }
        if (spec.path("priorityClassName").asText("").isEmpty() && !priorityClassName.isEmpty()) {
            spec.put("priorityClassName", priorityClassName);
        }
        return pod;
    }

    ObjectNode podGroup(StoredObject job) {
        ObjectNode group = Json.object();
        ObjectNode metadata = group.putObject("metadata");
        metadata.put("name", groupKey.name());
        metadata.set("labels", PodTemplates.copy(Json.at(job.json(), "metadata", "labels")));
        metadata.set("annotations", PodTemplates.copy(Json.at(job.json(), "metadata", "annotations")));
        PodTemplates.own(metadata, job);
        ObjectNode spec = group.putObject("spec");
        spec.put("minMember", minAvailable).put("queue", queue);
        ObjectNode minTaskMember = spec.putObject("minTaskMember");
        tasks.forEach(task -> minTaskMember.put(task.name(), task.minAvailable()));
        if (!priorityClassName.isEmpty()) {
            spec.put("priorityClassName", priorityClassName);
        }
        ObjectNode minResources = spec.putObject("minResources");
        minResources()
                .forEach((resource, milli) -> minResources.put(
                        resource,
                        BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString()));
        return group;
    }

    /** What the first {@code minAvailable} pods request together, tasks in their order, in thousandths. */
    private Map<String, Long> minResources() {
        Map<String, Long> sum = new TreeMap<>();
        int left = minAvailable;
        for (Task task : tasks) {
            int count = Math.min(left, task.replicas());
            left -= count;
            PodResources.requests(task.template()).forEach((resource, milli) -> {
                if (!resource.equals("pods") && count > 0) {
                    sum.merge(resource, milli * count, Math::addExact);
                }
            });
        }
        return sum;
    }

    private static String text(JsonNode object, String field, String byDefault) {
        String text = object.path(field).asText("");
        return text.isEmpty() ? byDefault : text;
    }
}
