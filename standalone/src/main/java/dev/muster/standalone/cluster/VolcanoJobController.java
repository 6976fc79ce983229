package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The controller of Volcano Jobs: it makes the PodGroup first, and the pods only when the scheduler let the group leave
 * Pending ({@code job_controller_actions.go}, syncJob). Lifecycle policies, plugins and retries are not simulated; a
 * finished job's group is deleted as killJob does it.
 */
final class VolcanoJobController implements Controller {

    private static final ResourceKind JOBS = ResourceKinds.VOLCANO_JOBS;
    private static final ResourceKind GROUPS = ResourceKinds.VOLCANO_POD_GROUPS;

    private static final class Census {
        final Map<String, StoredObject> byName = new HashMap<>();
        final Map<String, Map<String, Integer>> phasesByTask = new TreeMap<>();
        int pending;
        int running;
        int succeeded;
        int failed;
        int terminating;
    }

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final OwnerIndex index;

    VolcanoJobController(VersionedStore store, ObjectWriter writer, OwnerIndex index) {
        this.store = store;
        this.writer = writer;
        this.index = index;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(JOBS)) {
            return List.of(change.key());
        }
        boolean ofJobs =
                change.kind().equals(ResourceKinds.PODS) || change.kind().equals(GROUPS);
        ObjectKey owner = ofJobs ? PodTemplates.ownerKey(change, JOBS) : null;
        return owner == null ? List.of() : List.of(owner);
    }

    @Override
    public void reconcile(ObjectKey key) {
        StoredObject job = store.get(JOBS, key);
        if (job == null || job.deleting()) {
            return;
        }
        VolcanoJob spec = VolcanoJob.of(job);
        Census census = census(job);
        String phase = Json.text(job.json(), "status", "state", "phase");
        if (phase.equals("Completed") || phase.equals("Failed")) {
            cleanUp(spec, census);
        } else if (groupAdmitted(job, spec)) {
            createMissing(job, spec, census);
        }
        String next = nextPhase(phase, spec, census);
        writer.edit(JOBS, key, before -> withStatus(before, spec, census, next));
    }

    /** Creates the group where it is missing; true once its phase has left Pending. */
    private boolean groupAdmitted(StoredObject job, VolcanoJob spec) {
        StoredObject group = store.get(GROUPS, spec.groupKey());
        if (group == null) {
            group = writer.create(GROUPS, job.key().namespace(), spec.podGroup(job), false);
        }
        String phase = Json.text(group.json(), "status", "phase");
        return !phase.isEmpty() && !phase.equals("Pending");
    }

    private Census census(StoredObject job) {
        Census census = new Census();
        for (StoredObject pod : index.ownedBy(job.uid(), ResourceKinds.PODS)) {
            census.byName.put(pod.key().name(), pod);
            String phase = Json.text(pod.json(), "status", "phase");
            census.phasesByTask
                    .computeIfAbsent(Json.annotation(pod.json(), VolcanoJob.TASK), unused -> new TreeMap<>())
                    .merge(pod.deleting() ? "Terminating" : phase, 1, Integer::sum);
            if (pod.deleting()) {
                census.terminating++;
            } else {
                switch (phase) {
                    case "Running" -> census.running++;
                    case "Succeeded" -> census.succeeded++;
                    case "Failed" -> census.failed++;
                    default -> census.pending++;
                }
            }
        }
        return census;
    }

    private void createMissing(StoredObject job, VolcanoJob spec, Census census) {
        for (VolcanoJob.Task task : spec.tasks()) {
            for (int i = 0; i < task.replicas(); i++) {
                if (!census.byName.containsKey(spec.podName(task, i))) {
                    writer.create(ResourceKinds.PODS, job.key().namespace(), spec.pod(job, task, i), false);
                    census.pending++;
                }
            }
        }
    }

    private void cleanUp(VolcanoJob spec, Census census) {
        for (StoredObject pod : census.byName.values()) {
            if (!pod.deleting() && !SimulatedKubelet.terminal(pod.json())) {
                writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.DEFAULT.withUid(pod.uid()));
            }
        }
        if (store.get(GROUPS, spec.groupKey()) != null) {
            writer.delete(GROUPS, spec.groupKey(), DeleteOptions.DEFAULT);
        }
    }

    private static String nextPhase(String phase, VolcanoJob spec, Census census) {
        if (phase.equals("Completed") || phase.equals("Failed")) {
            return phase;
        }
        boolean over = spec.total() > 0 && census.succeeded + census.failed == spec.total();
        if (over) {
            return census.succeeded >= spec.minAvailable() ? "Completed" : "Failed";
        }
        boolean started = census.running + census.succeeded + census.failed >= spec.minAvailable();
        return phase.equals("Running") || started && spec.total() > 0 ? "Running" : "Pending";
    }

    private ObjectNode withStatus(ObjectNode job, VolcanoJob spec, Census census, String phase) {
        ObjectNode after = Json.thaw(job);
        ObjectNode status = Json.thawChild(after, "status");
        ObjectNode state = Json.thawChild(status, "state");
        if (!state.path("phase").asText("").equals(phase)) {
            state.put("phase", phase).put("lastTransitionTime", writer.now());
        }
        status.put("minAvailable", spec.minAvailable());
        status.put("pending", census.pending).put("running", census.running);
        status.put("succeeded", census.succeeded).put("failed", census.failed);
        status.put("terminating", census.terminating);
        ObjectNode tasks = status.putObject("taskStatusCount");
        census.phasesByTask.forEach((task, phases) -> {
            ObjectNode counts = tasks.putObject(task).putObject("phase");
            phases.forEach(counts::put);
        });
        return after;
    }
}
