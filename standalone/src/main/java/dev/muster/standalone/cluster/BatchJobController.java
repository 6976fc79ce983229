package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The controller of {@code batch/v1} Jobs ({@code pkg/controller/job}): completions and parallelism, suspension, failures
 * with their back-off, policy and limit, deadline and removal. Different from the real one, pods of a job without indexes
 * are named by a number, too ({@code scenarios/FORMAT.md}); hence a failed pod is deleted before its successor of the same
 * name comes, and a pod that is being deleted is succeeded when it is gone. A pod that was deleted does not count as
 * failed. Limits per index and success policies are not simulated.
 */
final class BatchJobController implements Controller {

    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

    /** What the controller keeps of a job between two looks; times in elapsed milliseconds. */
    private static final class Memory {
        private static final long NOT_YET = -1;
        final String uid;
        int failuresInRow;
        int succeeded;
        long retryMillis;
        long startMillis = NOT_YET;
        long finishMillis = NOT_YET;

        Memory(String uid) {
            this.uid = uid;
        }
    }

    private static final class Census {
        final Map<Integer, StoredObject> byIndex = new TreeMap<>();
        int active;
        int ready;
        int succeeded;
        int terminating;
    }

    /** Why a job is over before its completions are reached; empty reason where it is not. */
    private record Verdict(int failed, String failure) {}

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final OwnerIndex index;
    private final Timeline timeline;
    private final Map<ObjectKey, Memory> memories = new HashMap<>();

    BatchJobController(VersionedStore store, ObjectWriter writer, OwnerIndex index, Timeline timeline) {
        this.store = store;
        this.writer = writer;
        this.index = index;
        this.timeline = timeline;
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
    public Optional<Duration> reconcile(ObjectKey key) {
        StoredObject job = store.get(ResourceKinds.JOBS, key);
        if (job == null || job.deleting()) {
            memories.remove(key);
            return Optional.empty();
        }
        Memory memory = memories.get(key);
        if (memory == null || !memory.uid.equals(job.uid())) {
            memory = new Memory(job.uid());
            memories.put(key, memory);
        }
        return finished(job.json()) ? removeAfterItsTime(job, memory) : advance(job, memory);
    }

    private Optional<Duration> advance(StoredObject job, Memory memory) {
        JsonNode spec = job.json().path("spec");
        Census census = census(job);
        int parallelism = spec.path("parallelism").asInt(1);
        boolean workQueue = !spec.has("completions");
        int completions = workQueue ? parallelism : spec.path("completions").asInt();
        boolean suspended = spec.path("suspend").asBoolean();
        long now = timeline.elapsedMillis();
        memory.startMillis = suspended ? Memory.NOT_YET : memory.startMillis < 0 ? now : memory.startMillis;
        Verdict verdict = judge(job, census, memory, now);
        boolean enough = workQueue ? census.succeeded > 0 && census.active == 0 : census.succeeded >= completions;
        boolean complete = verdict.failure().isEmpty() && (enough || hasCondition(job.json(), "SuccessCriteriaMet"));
        int wanted = workQueue
                ? (census.succeeded > 0 ? Math.min(census.active, parallelism) : parallelism)
                : Math.min(parallelism, completions - census.succeeded);
        if (suspended || complete || !verdict.failure().isEmpty()) {
            wanted = 0;
        }
        deleteSurplus(census, wanted);
        if (now >= memory.retryMillis) {
            createMissing(job, census, completions, wanted);
        }
        boolean over = census.active + census.terminating == 0;
        writer.edit(
                ResourceKinds.JOBS,
                job.key(),
                before -> withStatus(before, census, verdict, suspended, complete, over));
        return nextLook(spec, memory, now, census.active < wanted);
    }

    /** Takes the failed pods out, and says how many failures count so far and whether the job failed. */
    private Verdict judge(StoredObject job, Census census, Memory memory, long now) {
        JsonNode spec = job.json().path("spec");
        int failed = Json.at(job.json(), "status", "failed").asInt();
        String failure = standingFailure(job.json());
        for (StoredObject pod : List.copyOf(census.byIndex.values())) {
            if (pod.deleting() || !Json.text(pod.json(), "status", "phase").equals("Failed")) {
                continue;
            }
            String action = BatchFailurePolicy.action(spec.path("podFailurePolicy"), pod.json());
            failed += action.equals(BatchFailurePolicy.IGNORE) ? 0 : 1;
            if (action.equals(BatchFailurePolicy.FAIL_JOB) && failure.isEmpty()) {
                failure = "PodFailurePolicy";
            }
            memory.failuresInRow++;
            writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.NOW.withUid(pod.uid()));
            census.byIndex.remove(indexOf(pod));
            memory.retryMillis = now + backoff(memory.failuresInRow).toMillis();
        }
        if (census.succeeded > memory.succeeded) {
            memory.succeeded = census.succeeded;
            memory.failuresInRow = 0;
        }
        if (failure.isEmpty() && failed > spec.path("backoffLimit").asInt(6)) {
            failure = "BackoffLimitExceeded";
        }
        if (failure.isEmpty() && memory.startMillis >= 0 && now >= deadline(spec, memory)) {
            failure = "DeadlineExceeded";
        }
        return new Verdict(failed, failure);
    }

    private static Duration backoff(int failures) {
        long factor = 1L << Math.min(failures - 1, 20);
        Duration backoff = FIRST_BACKOFF.multipliedBy(factor);
        return backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF;
    }

    private static long deadline(JsonNode spec, Memory memory) {
        return spec.path("activeDeadlineSeconds").isNumber() && memory.startMillis >= 0
                ? memory.startMillis + spec.path("activeDeadlineSeconds").asLong() * 1000
                : Long.MAX_VALUE;
    }

    private static Optional<Duration> nextLook(JsonNode spec, Memory memory, long now, boolean missing) {
        long next = deadline(spec, memory);
        if (missing && memory.retryMillis > now) {
            next = Math.min(next, memory.retryMillis);
        }
        return next == Long.MAX_VALUE || next <= now ? Optional.empty() : Optional.of(Duration.ofMillis(next - now));
    }

    private Optional<Duration> removeAfterItsTime(StoredObject job, Memory memory) {
        JsonNode ttl = Json.at(job.json(), "spec", "ttlSecondsAfterFinished");
        if (!ttl.isNumber()) {
            return Optional.empty();
        }
        long now = timeline.elapsedMillis();
        memory.finishMillis = memory.finishMillis < 0 ? now : memory.finishMillis;
        long left = memory.finishMillis + ttl.asLong() * 1000 - now;
        if (left > 0) {
            return Optional.of(Duration.ofMillis(left));
        }
        writer.delete(ResourceKinds.JOBS, job.key(), DeleteOptions.DEFAULT.withUid(job.uid()));
        return Optional.empty();
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
            } else if (!phase.equals("Failed")) {
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

    /** Deletes what is more than wanted: pods that do not run yet first, then those with the highest numbers. */
    private void deleteSurplus(Census census, int wanted) {
        List<StoredObject> active = new ArrayList<>(census.byIndex.values());
        active.removeIf(pod -> pod.deleting() || SimulatedKubelet.terminal(pod.json()));
        active.sort(Comparator.comparing((StoredObject pod) ->
                        Json.text(pod.json(), "status", "phase").equals("Running"))
                .thenComparing(BatchJobController::indexOf, Comparator.reverseOrder()));
        for (StoredObject pod : active.subList(0, Math.max(0, active.size() - wanted))) {
            boolean gone = writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.DEFAULT.withUid(pod.uid()))
                    .gone();
            census.active--;
            census.terminating += gone ? 0 : 1;
        }
    }

    private void createMissing(StoredObject job, Census census, int completions, int wanted) {
        for (int i = 0; i < completions && census.active < wanted; i++) {
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
            ObjectNode job, Census census, Verdict verdict, boolean suspended, boolean complete, boolean over) {
        ObjectNode after = Json.thaw(job);
        ObjectNode status = Json.thawChild(after, "status");
        status.put("active", census.active).put("ready", Math.min(census.ready, census.active));
        status.put("succeeded", census.succeeded).put("failed", verdict.failed());
        status.put("terminating", census.terminating);
        String now = writer.now();
        if (suspended) {
            status.remove("startTime");
        } else if (!status.has("startTime")) {
            status.put("startTime", now);
        }
        if (suspended || hasCondition(job, "Suspended")) {
            PodStatuses.setCondition(
                    status, "Suspended", suspended ? "True" : "False", suspended ? "JobSuspended" : "JobResumed", now);
        }
        if (!verdict.failure().isEmpty()) {
            PodStatuses.setCondition(status, "FailureTarget", "True", verdict.failure(), now);
            if (over) {
                PodStatuses.setCondition(status, "Failed", "True", verdict.failure(), now);
            }
        } else if (complete) {
            PodStatuses.setCondition(status, "SuccessCriteriaMet", "True", "CompletionsReached", now);
            if (over) {
                PodStatuses.setCondition(status, "Complete", "True", "CompletionsReached", now);
                status.put("completionTime", now);
            }
        }
        return after;
    }

    /** Why the job was found to have failed earlier, while its last pods still end; empty where it was not. */
    private static String standingFailure(JsonNode job) {
        for (JsonNode condition : Json.at(job, "status", "conditions")) {
            if (condition.path("type").asText().equals("FailureTarget")) {
                return condition.path("reason").asText();
            }
        }
        return "";
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
