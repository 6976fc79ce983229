package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The three things done to a Volcano Job: bringing pods and PodGroup to what the job asks for, deleting them all, and
 * deleting some ({@code job_controller_actions.go}).
 */
final class VolcanoJobWork {

    private static final ResourceKind JOBS = ResourceKinds.VOLCANO_JOBS;
    private static final ResourceKind GROUPS = ResourceKinds.VOLCANO_POD_GROUPS;

    /** The pods of a job by phase; those that are being deleted count as terminating only. */
    record Counts(
            int pending,
            int running,
            int succeeded,
            int failed,
            int terminating,
            Map<String, Map<String, Integer>> phasesByTask) {

        int alive() {
            return pending + running + terminating;
        }

        int started() {
            return running + succeeded + failed;
        }

        int succeededOf(String task) {
            return phasesByTask.getOrDefault(task, Map.of()).getOrDefault("Succeeded", 0);
        }
    }

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final OwnerIndex index;
    private final Set<String> killed;

    VolcanoJobWork(VersionedStore store, ObjectWriter writer, OwnerIndex index, Set<String> killed) {
        this.store = store;
        this.writer = writer;
        this.index = index;
        this.killed = killed;
    }

    /** Makes the group, then, once its phase has left Pending, the pods that are missing; deletes surplus ones. */
    void sync(StoredObject job, VolcanoJob spec, Function<Counts, String> next) {
        if (groupAdmitted(job, spec)) {
            Map<String, StoredObject> surplus = new TreeMap<>();
            pods(job).forEach(pod -> surplus.put(pod.key().name(), pod));
            for (VolcanoJob.Task task : spec.tasks()) {
                boolean mayStart = dependenciesMet(job, spec, task);
                for (int i = 0; i < task.replicas(); i++) {
                    boolean there = surplus.remove(spec.podName(task, i)) != null;
                    if (!there && mayStart) {
                        writer.create(ResourceKinds.PODS, job.key().namespace(), spec.pod(job, task, i), false);
                    }
                }
            }
            surplus.values().forEach(this::delete);
        }
        Counts counts = count(job);
        writeStatus(job, spec, counts, next.apply(counts), false, false);
    }

    private boolean groupAdmitted(StoredObject job, VolcanoJob spec) {
        StoredObject group = store.get(GROUPS, spec.groupKey());
        if (group == null) {
            group = writer.create(GROUPS, job.key().namespace(), spec.podGroup(job), false);
        } else {
            group = writer.edit(GROUPS, spec.groupKey(), before -> {
                ObjectNode after = Json.thaw(before);
                spec.fill(Json.thawChild(after, "spec"));
                return after;
            });
        }
        String phase = Json.text(group.json(), "status", "phase");
        return !phase.isEmpty() && !phase.equals("Pending");
    }

    /** Whether enough pods of the tasks that a task depends on run with all containers ready, or succeeded. */
    private boolean dependenciesMet(StoredObject job, VolcanoJob spec, VolcanoJob.Task task) {
        Predicate<String> ready = name -> {
            long up = pods(job).stream()
                    .filter(pod -> taskOf(pod).equals(name) && !pod.deleting())
                    .filter(VolcanoJobWork::readyOrSucceeded)
                    .count();
            return spec.task(name)
                    .map(dependee -> up >= dependee.minAvailable())
                    .orElse(true);
        };
        return task.anyOfThem()
                ? task.dependsOn().stream().anyMatch(ready)
                : task.dependsOn().stream().allMatch(ready);
    }

    private static boolean readyOrSucceeded(StoredObject pod) {
        String phase = Json.text(pod.json(), "status", "phase");
        if (!phase.equals("Running")) {
            return phase.equals("Succeeded");
        }
        for (JsonNode container : Json.at(pod.json(), "status", "containerStatuses")) {
            if (!container.path("ready").asBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Starts over: one restart more, all pods and the group deleted; those that ended stay where the job is resumed. */
    void restartJob(StoredObject job, VolcanoJob spec, boolean keepEnded) {
        kill(job, spec, keepEnded, counts -> VolcanoPhases.RESTARTING, true);
    }

    /** Deletes the job's pods, those that ended excepted where asked for, and its group. */
    void killJob(StoredObject job, VolcanoJob spec, boolean keepEnded, Function<Counts, String> next) {
        kill(job, spec, keepEnded, next, false);
    }

    private void kill(
            StoredObject job, VolcanoJob spec, boolean keepEnded, Function<Counts, String> next, boolean restart) {
        int retries = Json.at(job.json(), "status", "retryCount").asInt();
        // The pods of the last try stay for whoever wants to know how they ended.
        boolean keep = keepEnded || retries >= spec.maxRetry() - 1;
        List<StoredObject> doomed = pods(job).stream()
                .filter(pod -> !pod.deleting() && !(keep && SimulatedKubelet.terminal(pod.json())))
                .toList();
        boolean group = store.get(GROUPS, spec.groupKey()) != null;
        boolean newVersion = restart || group || !doomed.isEmpty();
        doomed.forEach(this::delete);
        Counts counts = count(job);
        writeStatus(job, spec, counts, next.apply(counts), newVersion, restart);
        if (group) {
            writer.delete(GROUPS, spec.groupKey(), DeleteOptions.DEFAULT);
        }
    }

    /** Deletes the pods of a task, or one of them; the group stays. */
    void restartSome(StoredObject job, VolcanoJob spec, String task, String pod, boolean counted, String phase) {
        for (StoredObject each : pods(job)) {
            boolean meant = taskOf(each).equals(task)
                    && (pod.isEmpty() || each.key().name().equals(pod));
            if (meant && !each.deleting()) {
                delete(each);
            }
        }
        writeStatus(job, spec, count(job), phase, false, counted);
    }

    boolean hasLivePods(StoredObject job) {
        return pods(job).stream().anyMatch(pod -> !pod.deleting());
    }

    /** Whether as many pods of a task succeeded as it has. */
    boolean taskCompleted(StoredObject job, VolcanoJob spec, String task) {
        int replicas = spec.task(task).map(VolcanoJob.Task::replicas).orElse(0);
        return replicas > 0 && count(job).succeededOf(task) >= replicas;
    }

    /** Whether the containers of a task's pods were restarted more often than it allows. */
    boolean taskFailed(StoredObject job, VolcanoJob spec, String name) {
        VolcanoJob.Task task = spec.task(name).orElse(null);
        if (task == null || task.maxRetry() < 0) {
            return false;
        }
        int restarts = 0;
        for (StoredObject pod : pods(job)) {
            boolean alive = !pod.deleting() && !SimulatedKubelet.terminal(pod.json());
            restarts += alive && taskOf(pod).equals(name) ? restarts(pod.json()) : 0;
        }
        return restarts > task.maxRetry();
    }

    static int restarts(JsonNode pod) {
        int restarts = 0;
        for (String list : new String[] {"initContainerStatuses", "containerStatuses"}) {
            for (JsonNode container : Json.at(pod, "status", list)) {
                restarts += container.path("restartCount").asInt();
            }
        }
        return restarts;
    }

    private void delete(StoredObject pod) {
        if (pod.deleting()) {
            return;
        }
        killed.add(pod.uid());
        try {
            writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.DEFAULT.withUid(pod.uid()));
        } catch (ApiException e) {
            killed.remove(pod.uid());
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }

    private List<StoredObject> pods(StoredObject job) {
        return index.ownedBy(job.uid(), ResourceKinds.PODS);
    }

    private static String taskOf(StoredObject pod) {
        return Json.annotation(pod.json(), VolcanoJob.TASK);
    }

    private Counts count(StoredObject job) {
        Map<String, Integer> byPhase = new HashMap<>();
        Map<String, Map<String, Integer>> byTask = new TreeMap<>();
        for (StoredObject pod : pods(job)) {
            String phase = pod.deleting() ? "Terminating" : Json.text(pod.json(), "status", "phase");
            byPhase.merge(phase, 1, Integer::sum);
            if (!pod.deleting()) {
                byTask.computeIfAbsent(taskOf(pod), unused -> new TreeMap<>()).merge(phase, 1, Integer::sum);
            }
        }
        return new Counts(
                byPhase.getOrDefault("Pending", 0),
                byPhase.getOrDefault("Running", 0),
                byPhase.getOrDefault("Succeeded", 0),
                byPhase.getOrDefault("Failed", 0),
                byPhase.getOrDefault("Terminating", 0),
                byTask);
    }

    private void writeStatus(
            StoredObject job, VolcanoJob spec, Counts counts, String phase, boolean newVersion, boolean retry) {
        writer.edit(JOBS, job.key(), before -> {
            ObjectNode after = Json.thaw(before);
            ObjectNode status = Json.thawChild(after, "status");
            ObjectNode state = Json.thawChild(status, "state");
            if (!state.path("phase").asText("").equals(phase)) {
                String now = writer.now();
                state.put("phase", phase).put("lastTransitionTime", now);
                ArrayNode conditions = Json.array();
                status.path("conditions").forEach(conditions::add);
                conditions.addObject().put("status", phase).put("lastTransitionTime", now);
                status.set("conditions", conditions);
            }
            status.put("minAvailable", spec.minAvailable());
            status.put("pending", counts.pending()).put("running", counts.running());
            status.put("succeeded", counts.succeeded()).put("failed", counts.failed());
            status.put("terminating", counts.terminating());
            status.put("version", status.path("version").asInt() + (newVersion ? 1 : 0));
            status.put("retryCount", status.path("retryCount").asInt() + (retry ? 1 : 0));
            ObjectNode tasks = status.putObject("taskStatusCount");
            counts.phasesByTask().forEach((task, phases) -> {
                ObjectNode byPhase = tasks.putObject(task).putObject("phase");
                phases.forEach(byPhase::put);
            });
            return after;
        });
    }
}
