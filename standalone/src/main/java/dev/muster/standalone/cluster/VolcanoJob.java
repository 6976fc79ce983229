package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The spec of a Volcano Job with the defaults of its admission webhook, and the objects that its controller makes of it.
 *
 * @param groupKey key of the job's PodGroup, {@code <job>-<uid>}
 * @param minSuccess pods that must succeed for the job to be complete, where it says so
 * @param maxRetry restarts after which the job fails
 * @param networkTopology how near its pods must be, as the PodGroup gets it; missing where it does not say
 * @param ttlSeconds how long the job stays after it finished, where it does not stay for ever
 */
record VolcanoJob(
        String name,
        ObjectKey groupKey,
        int minAvailable,
        OptionalInt minSuccess,
        int maxRetry,
        OptionalInt ttlSeconds,
        String queue,
        String schedulerName,
        String priorityClassName,
        JsonNode networkTopology,
        List<VolcanoPolicy> policies,
        List<Task> tasks) {

    /**
     * One task: {@code replicas} pods of one template.
     *
     * @param ownMinimum whether the task itself says its minimum
     * @param maxRetry restarts of its containers after which the task failed; -1 for no limit
     * @param dependsOn tasks that must run before its pods are made
     * @param anyOfThem whether one of those is enough
     * @param partitions its partitionPolicy; missing where it has none
     */
    record Task(
            String name,
            int replicas,
            int minAvailable,
            boolean ownMinimum,
            int maxRetry,
            List<VolcanoPolicy> policies,
            List<String> dependsOn,
            boolean anyOfThem,
            JsonNode partitions,
            JsonNode template) {

        private static Task of(JsonNode task, int position) {
            int replicas = task.path("replicas").asInt(1);
            List<String> dependsOn = new ArrayList<>();
            Json.at(task, "dependsOn", "name").forEach(name -> dependsOn.add(name.asText()));
            int maxRetry = task.path("maxRetry").asInt(0);
            return new Task(
                    text(task, "name", "default" + position),
                    replicas,
                    task.path("minAvailable").asInt(replicas),
                    task.has("minAvailable"),
                    maxRetry == 0 ? DEFAULT_MAX_RETRY : maxRetry,
                    VolcanoPolicy.list(task.path("policies")),
                    List.copyOf(dependsOn),
                    dependsOn.size() > 1
                            && Json.text(task, "dependsOn", "iteration").equals("any"),
                    task.path("partitionPolicy"),
                    task.path("template"));
        }
    }

    static final String TASK = "volcano.sh/task-spec";
    static final String PARTITION = "volcano.sh/partition-id";
    static final String VERSION = "volcano.sh/job-version";
    private static final int DEFAULT_MAX_RETRY = 3;

    static VolcanoJob of(StoredObject job) {
        JsonNode spec = job.json().path("spec");
        List<Task> tasks = new ArrayList<>();
        spec.path("tasks").forEach(task -> tasks.add(Task.of(task, tasks.size())));
        int minAvailable = spec.path("minAvailable").asInt(0);
        int maxRetry = spec.path("maxRetry").asInt(0);
        return new VolcanoJob(
                job.key().name(),
                new ObjectKey(job.key().namespace(), job.key().name() + "-" + job.uid()),
                minAvailable > 0 ? minAvailable : sumOfMinimums(tasks),
                number(spec.path("minSuccess")),
                maxRetry == 0 ? DEFAULT_MAX_RETRY : maxRetry,
                number(spec.path("ttlSecondsAfterFinished")),
                text(spec, "queue", "default"),
                text(spec, "schedulerName", "volcano"),
                spec.path("priorityClassName").asText(""),
                spec.path("networkTopology"),
                VolcanoPolicy.list(spec.path("policies")),
                tasks);
    }

    private static int sumOfMinimums(List<Task> tasks) {
        return tasks.stream().mapToInt(Task::minAvailable).sum();
    }

    private static OptionalInt number(JsonNode value) {
        return value.isInt() ? OptionalInt.of(value.asInt()) : OptionalInt.empty();
    }

    int sumOfMinimums() {
        return sumOfMinimums(tasks);
    }

    Optional<Task> task(String wanted) {
        return tasks.stream().filter(task -> task.name().equals(wanted)).findFirst();
    }

    /** The policy that answers an event: of its task, else of the job. */
    Optional<VolcanoPolicy> policy(VolcanoEvent event) {
        return Stream.concat(task(event.task()).stream().flatMap(task -> task.policies().stream()), policies.stream())
                .filter(policy -> policy.answers(event))
                .findFirst();
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
        int partitionSize = task.partitions().path("partitionSize").asInt(0);
        if (partitionSize > 0) {
            labels.put(PARTITION, Integer.toString(i / partitionSize));
        }
        annotations
                .put("scheduling.k8s.io/group-name", groupKey.name())
                .put(
                        VERSION,
                        Json.text(job.json(), "status", "version").isEmpty()
                                ? "0"
                                : Json.text(job.json(), "status", "version"))
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
        fill(group.putObject("spec"));
        return group;
    }

    /** Writes what the job says into the spec of its PodGroup; the rest of the spec stays. */
    void fill(ObjectNode spec) {
        spec.put("minMember", minAvailable).put("queue", queue);
        ObjectNode minTaskMember = spec.putObject("minTaskMember");
        tasks.forEach(task -> minTaskMember.put(task.name(), task.minAvailable()));
        if (!priorityClassName.isEmpty()) {
            spec.put("priorityClassName", priorityClassName);
        }
        if (networkTopology.isObject()) {
            spec.set("networkTopology", PodTemplates.copy(networkTopology));
        }
        subGroups(spec);
        ObjectNode minResources = spec.putObject("minResources");
        minResources()
                .forEach((resource, milli) -> minResources.put(
                        resource,
                        BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString()));
    }

    /** A task that is divided into partitions becomes a subgroup policy of its name. */
    private void subGroups(ObjectNode spec) {
        ArrayNode policies = Json.array();
        for (Task task : tasks) {
            if (!task.partitions().isObject()) {
                continue;
            }
            ObjectNode policy = policies.addObject();
            policy.put("name", task.name());
            policy.put("subGroupSize", task.partitions().path("partitionSize").asInt(1));
            policy.put("minSubGroups", task.partitions().path("minPartitions").asInt(0));
            policy.putObject("labelSelector").putObject("matchLabels").put(TASK, task.name());
            policy.putArray("matchLabelKeys").add(PARTITION);
            if (task.partitions().path("networkTopology").isObject()) {
                policy.set(
                        "networkTopology", PodTemplates.copy(task.partitions().path("networkTopology")));
            }
        }
        if (!policies.isEmpty()) {
            spec.set("subGroupPolicy", policies);
        }
    }

    /** What the {@code minAvailable} pods that must run request together, in thousandths: first the tasks' own minimums. */
    private Map<String, Long> minResources() {
        Map<String, Long> sum = new TreeMap<>();
        int left = minAvailable;
        for (Task task : tasks) {
            int count = Math.min(left, Math.min(task.minAvailable(), task.replicas()));
            left -= count;
            add(sum, task, count);
        }
        for (Task task : tasks) {
            int count = Math.min(left, Math.max(0, task.replicas() - task.minAvailable()));
            left -= count;
            add(sum, task, count);
        }
        return sum;
    }

    private static void add(Map<String, Long> sum, Task task, int count) {
        PodResources.requests(task.template()).forEach((resource, milli) -> {
            if (!resource.equals("pods") && count > 0) {
                sum.merge(resource, milli * count, Math::addExact);
            }
        });
    }

    private static String text(JsonNode object, String field, String byDefault) {
        String text = object.path(field).asText("");
        return text.isEmpty() ? byDefault : text;
    }
}
