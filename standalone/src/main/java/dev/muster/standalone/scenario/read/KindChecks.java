package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** What the API server or an admission webhook refuses, per kind; only where a simulation would go wrong without. */
final class KindChecks {
    private static final int MOST_PODS = 20_000;
    private static final int HIGHEST_USER_PRIORITY = 1_000_000_000;
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private final Document document;
    private final JsonNode tree;

    private KindChecks(Document document) {
        this.document = document;
        this.tree = document.tree();
    }

    static void check(Document document, String apiVersion, String kind) {
        KindChecks checks = new KindChecks(document);
        switch (apiVersion + "/" + kind) {
            case "v1/Pod" ->
                PodSpecChecks.check(document, "spec", document.tree().path("spec"));
            case "v1/Node" -> checks.node();
            case "batch/v1/Job" -> checks.batchJob();
            case "batch.volcano.sh/v1alpha1/Job" -> checks.volcanoJob();
            case "scheduling.volcano.sh/v1beta1/PodGroup",
                    "scheduling.x-k8s.io/v1alpha1/PodGroup",
                    "scheduling.run.ai/v2alpha2/PodGroup" -> checks.podGroup();
            case "scheduling.volcano.sh/v1beta1/Queue" -> checks.queue();
            case "scheduling.k8s.io/v1/PriorityClass" -> checks.priorityClass();
            case "policy/v1/PodDisruptionBudget" -> checks.budget();
            case "kueue.x-k8s.io/v1beta2/Topology", "kai.scheduler/v1alpha1/Topology" ->
                TopologyChecks.topology(document, document.tree());
            case "topology.volcano.sh/v1alpha1/HyperNode" -> TopologyChecks.hyperNode(document, document.tree());
            default -> QuotaChecks.check(document, apiVersion + "/" + kind, document.tree());
        }
    }

    private void node() {
        QuantityChecks.all(document, "status.capacity", tree.path("status").path("capacity"));
        QuantityChecks.all(document, "status.allocatable", tree.path("status").path("allocatable"));
        JsonNode taints = tree.path("spec").path("taints");
        for (int i = 0; i < taints.size(); i++) {
            String field = "spec.taints[" + i + "]";
            if (!Names.labelKey(taints.get(i).path("key").asText(""))) {
                throw document.expected(field + ".key", "a key", taints.get(i).path("key"));
            }
            if (!EFFECTS.contains(taints.get(i).path("effect").asText(""))) {
                throw document.expected(
                        field + ".effect",
                        "NoSchedule, PreferNoSchedule or NoExecute",
                        taints.get(i).path("effect"));
            }
        }
    }

    private void batchJob() {
        JsonNode spec = tree.path("spec");
        long parallelism = count("spec.parallelism", spec.path("parallelism"), 1);
        long completions = count("spec.completions", spec.path("completions"), 1);
        count("spec.backoffLimit", spec.path("backoffLimit"), 6);
        if (Math.max(parallelism, completions) > MOST_PODS) {
            throw document.problem("spec.completions: expected at most " + MOST_PODS + " pods of one job, got "
                    + Math.max(parallelism, completions));
        }
        if (!spec.path("template").isObject()) {
            throw document.expected("spec.template", "a pod template", spec.path("template"));
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecChecks.check(document, "spec.template.spec", pod);
        String restart = pod.path("restartPolicy").asText("Always");
        if (!restart.equals("Never") && !restart.equals("OnFailure")) {
            throw document.expected(
                    "spec.template.spec.restartPolicy", "Never or OnFailure", pod.path("restartPolicy"));
        }
    }

    private void volcanoJob() {
        JsonNode spec = tree.path("spec");
        if (!spec.path("tasks").isArray() || spec.path("tasks").isEmpty()) {
            throw document.expected("spec.tasks", "at least one task", spec.path("tasks"));
        }
        Set<String> names = new HashSet<>();
        long total = 0;
        for (int i = 0; i < spec.path("tasks").size(); i++) {
            total += task("spec.tasks[" + i + "]", spec.path("tasks").get(i), names);
        }
        if (total > MOST_PODS) {
            throw document.problem("spec.tasks: expected at most " + MOST_PODS + " pods of one job, got " + total);
        }
        long least = count("spec.minAvailable", spec.path("minAvailable"), 0);
        if (least > total) {
            throw document.expected(
                    "spec.minAvailable", "at most the " + total + " replicas of all tasks", spec.path("minAvailable"));
        }
        count("spec.maxRetry", spec.path("maxRetry"), 3);
        text("spec.queue", spec.path("queue"));
        text("spec.schedulerName", spec.path("schedulerName"));
        text("spec.priorityClassName", spec.path("priorityClassName"));
        count("spec.ttlSecondsAfterFinished", spec.path("ttlSecondsAfterFinished"), 0);
    }

    private long task(String field, JsonNode task, Set<String> names) {
        JsonNode name = task.path("name");
        if (!name.isMissingNode() && !Names.label(name.asText())) {
            throw document.expected(field + ".name", "small letters, digits and -", name);
        }
        if (!name.isMissingNode() && !names.add(name.asText())) {
            throw document.problem(field + ".name: '" + name.asText() + "' is the name of an earlier task");
        }
        long replicas = count(field + ".replicas", task.path("replicas"), 1);
        long least = count(field + ".minAvailable", task.path("minAvailable"), replicas);
        if (least > replicas) {
            throw document.expected(
                    field + ".minAvailable", "at most its " + replicas + " replicas", task.path("minAvailable"));
        }
        if (!task.path("template").isObject()) {
            throw document.expected(field + ".template", "a pod template", task.path("template"));
        }
        KubernetesModel.checkTemplate(document, field + ".template", task.path("template"));
        PodSpecChecks.check(
                document, field + ".template.spec", task.path("template").path("spec"));
        return replicas;
    }

    private void podGroup() {
        JsonNode spec = tree.path("spec");
        count("spec.minMember", spec.path("minMember"), 1);
        text("spec.queue", spec.path("queue"));
        text("spec.priorityClassName", spec.path("priorityClassName"));
        QuantityChecks.all(document, "spec.minResources", spec.path("minResources"));
    }

    private void queue() {
        JsonNode spec = tree.path("spec");
        count("spec.weight", spec.path("weight"), 1);
        QuantityChecks.all(document, "spec.capability", spec.path("capability"));
        QuantityChecks.all(document, "spec.deserved", spec.path("deserved"));
        QuantityChecks.all(
                document, "spec.guarantee.resource", spec.path("guarantee").path("resource"));
        text("spec.parent", spec.path("parent"));
        JsonNode reclaimable = spec.path("reclaimable");
        if (!reclaimable.isMissingNode() && !reclaimable.isBoolean()) {
            throw document.expected("spec.reclaimable", "true or false", reclaimable);
        }
    }

    private void priorityClass() {
        JsonNode value = tree.path("value");
        boolean system = tree.path("metadata").path("name").asText().startsWith("system-");
        if (!value.isInt() || !system && value.asInt() > HIGHEST_USER_PRIORITY) {
            throw document.expected("value", "a whole number, at most " + HIGHEST_USER_PRIORITY, value);
        }
        String policy = tree.path("preemptionPolicy").asText("Never");
        if (!policy.equals("Never") && !policy.equals("PreemptLowerPriority")) {
            throw document.expected("preemptionPolicy", "Never or PreemptLowerPriority", tree.path("preemptionPolicy"));
        }
    }

    private void budget() {
        JsonNode spec = tree.path("spec");
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            throw document.problem("spec: minAvailable and maxUnavailable exclude each other");
        }
        for (String field : new String[] {"minAvailable", "maxUnavailable"}) {
            if (!spec.path(field).asText("0").matches("\\d{1,9}|\\d{1,3}%")) {
                throw document.expected("spec." + field, "a count or a percentage", spec.path(field));
            }
        }
    }

    private long count(String field, JsonNode value, long otherwise) {
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 0) {
            throw document.expected(field, "a whole number, 0 or more", value);
        }
        return value.asInt();
    }

    private void text(String field, JsonNode value) {
        if (!value.isMissingNode() && !value.isTextual()) {
            throw document.expected(field, "text", value);
        }
    }
}
