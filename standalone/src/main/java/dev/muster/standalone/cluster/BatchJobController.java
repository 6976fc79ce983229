package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The controller of {@code batch/v1} Jobs. Different from the real one, pods of a job without indexes are named by a
 * number, too ({@code scenarios/FORMAT.md}); hence a failed pod is deleted before its successor of the same name comes,
 * and there is no delay in between. A pod that was deleted does not count as failed.
 */
final class BatchJobController implements Controller {

    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final class Census {
        final Map<Integer, StoredObject> byIndex = new TreeMap<>();
        int active;
        int ready;
        int succeeded;
        int failed;
        int terminating;
    }

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final OwnerIndex index;

    BatchJobController(VersionedStore store, ObjectWriter writer, OwnerIndex index) {
        this.store = store;
        this.writer = writer;
        this.index = index;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.JOBS)) {
            return List.of(change.key());
        }
        ObjectKey owner =
                change.kind().equals(ResourceKinds.PODS) ? PodTemplates.ownerKey(change, ResourceKinds.JOBS) : null;
        return owner == null ? List.of() : List.of(owner);
    }

    @Override
    public void reconcile(ObjectKey key) {
        StoredObject job = store.get(ResourceKinds.JOBS, key);
        if (job == null || job.deleting()) {
            return;
        }
        JsonNode spec = job.json().path("spec");
        Census census = census(job);
        if (finished(job.json())) {
            if (hasCondition(job.json(), "Failed")) {
                deleteActive(census);
            }
            return;
        }
        int failedBefore = Json.at(job.json(), "status", "failed").asInt();
        int failed = failedBefore + removeFailed(census);
        int parallelism = spec.path("parallelism").asInt(1);
        boolean workQueue = !spec.has("completions");
        int completions = workQueue ? parallelism : spec.path("completions").asInt();
        boolean suspended = spec.path("suspend").asBoolean();
        boolean failing = failed > spec.path("backoffLimit").asInt(6);
        boolean complete = workQueue ? census.succeeded > 0 && census.active == 0 : census.succeeded >= completions;
        if (suspended || failing) {
            deleteActive(census);
        } else if (!complete && !(workQueue && census.succeeded > 0)) {
            createMissing(job, census, completions, parallelism);
        }
        writer.edit(
                ResourceKinds.JOBS, key, before -> withStatus(before, census, failed, suspended, failing, complete));
    }

    private Census census(StoredObject job) {
        Census census = new Census();
        for (StoredObject pod : index.ownedBy(job.uid(), ResourceKinds.PODS)) {
            census.byIndex.put(indexOf(pod), pod);
            String phase = Json.text(pod.json(), "status", "phase");
            if (phase.equals("Succeeded")) {
                census.succeeded++;
            } else if (pod.deleting()) {
                census.terminating++;
            } else if (phase.equals("Failed")) {
                census.failed++;
            } else {
                census.active++;
                census.ready += phase.equals("Running") ? 1 : 0;
            }
        }
        return census;
    }

    private static int indexOf(StoredObject pod) {
        String name = pod.key().name();
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    private int removeFailed(Census census) {
        int removed = 0;
        for (StoredObject pod : List.copyOf(census.byIndex.values())) {
            boolean failed = Json.text(pod.json(), "status", "phase").equals("Failed");
            if (failed && !pod.deleting()) {
                writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.NOW.withUid(pod.uid()));
                census.byIndex.remove(indexOf(pod));
                removed++;
            }
        }
        return removed;
    }

    private void deleteActive(Census census) {
        for (StoredObject pod : census.byIndex.values()) {
            if (!pod.deleting() && !SimulatedKubelet.terminal(pod.json())) {
                writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.DEFAULT.withUid(pod.uid()));
            }
        }
    }

    private void createMissing(StoredObject job, Census census, int completions, int parallelism) {
        for (int i = 0; i < completions && census.active < parallelism; i++) {
            if (!census.byIndex.containsKey(i)) {
                writer.create(ResourceKinds.PODS, job.key().namespace(), pod(job, i), false);
                census.active++;
            }
        }
    }

    private static ObjectNode pod(StoredObject job, int i) {
        String name = job.key().name();
        ObjectNode pod = PodTemplates.pod(job, Json.at(job.json(), "spec", "template"), name + "-" + i);
        ObjectNode labels = (ObjectNode) Json.at(pod, "metadata", "labels");
        labels.put("job-name", name).put("batch.kubernetes.io/job-name", name);
        labels.put("controller-uid", job.uid()).put("batch.kubernetes.io/controller-uid", job.uid());
        if (Json.text(job.json(), "spec", "completionMode").equals("Indexed")) {
            labels.put(INDEX, Integer.toString(i));
            ((ObjectNode) Json.at(pod, "metadata", "annotations")).put(INDEX, Integer.toString(i));
        }
        return pod;
    }

    private ObjectNode withStatus(
            ObjectNode job, Census census, int failed, boolean suspended, boolean failing, boolean complete) {
        ObjectNode after = Json.thaw(job);
        ObjectNode status = Json.thawChild(after, "status");
        status.put("active", suspended || failing ? 0 : census.active).put("ready", census.ready);
        status.put("succeeded", census.succeeded).put("failed", failed).put("terminating", census.terminating);
        String now = writer.now();
        if (!suspended && !status.has("startTime")) {
            status.put("startTime", now);
        }
        boolean wasSuspended = hasCondition(job, "Suspended");
        if (suspended || wasSuspended) {
            PodStatuses.setCondition(
                    status, "Suspended", suspended ? "True" : "False", suspended ? "JobSuspended" : "JobResumed", now);
        }
        if (suspended) {
            status.remove("startTime");
        }
        if (failing) {
            PodStatuses.setCondition(status, "FailureTarget", "True", "BackoffLimitExceeded", now);
            PodStatuses.setCondition(status, "Failed", "True", "BackoffLimitExceeded", now);
        } else if (complete) {
            PodStatuses.setCondition(status, "SuccessCriteriaMet", "True", "CompletionsReached", now);
            PodStatuses.setCondition(status, "Complete", "True", "CompletionsReached", now);
            status.put("completionTime", now);
        }
        return after;
    }

    private static boolean finished(JsonNode job) {
        return hasCondition(job, "Complete") || hasCondition(job, "Failed");
    }

    private static boolean hasCondition(JsonNode job, String type) {
        for (JsonNode condition : Json.at(job, "status", "conditions")) {
            if (condition.path("type").asText().equals(type)
                    && condition.path("status").asText().equals("True")) {
                return true;
            }
        }
        return false;
    }
}
