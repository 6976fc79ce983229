package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The controller of Volcano Jobs ({@code pkg/controllers/job} of volcano-sh/volcano): it queues what happens to a job and
 * its pods as events, answers each by a lifecycle policy or by a plain sync, and lets the job's phase decide what an
 * action does ({@link VolcanoPhases}). Plugins and partitions are not simulated.
 */
final class VolcanoJobController implements Controller {

    private static final ResourceKind JOBS = ResourceKinds.VOLCANO_JOBS;
    private static final ResourceKind GROUPS = ResourceKinds.VOLCANO_POD_GROUPS;
    private static final ResourceKind COMMANDS = ResourceKinds.VOLCANO_COMMANDS;

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final VolcanoPhases phases;
    private final VolcanoTimeouts timeouts;
    private final Map<ObjectKey, Deque<VolcanoEvent>> inbox = new ConcurrentHashMap<>();
    /** Uids of pods this controller deletes: what becomes of them is no news to it. */
    private final Set<String> killed = ConcurrentHashMap.newKeySet();

    VolcanoJobController(VersionedStore store, ObjectWriter writer, OwnerIndex index, Timeline timeline) {
        this.store = store;
        this.writer = writer;
        this.phases = new VolcanoPhases(new VolcanoJobWork(store, writer, index, killed));
        this.timeouts = new VolcanoTimeouts(timeline);
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        ResourceKind kind = change.kind();
        ObjectKey job = null;
        VolcanoEvent event = null;
        if (kind.equals(JOBS)) {
            job = change.key();
            event = ofJob(change);
            if (change.type() == Change.Type.DELETED) {
                timeouts.forget(job);
            }
        } else if (kind.equals(ResourceKinds.PODS)) {
            job = PodTemplates.ownerKey(change, JOBS);
            event = job == null ? null : ofPod(change);
        } else if (kind.equals(GROUPS)) {
            job = PodTemplates.ownerKey(change, JOBS);
            event = job == null ? null : ofGroup(change);
        } else if (kind.equals(COMMANDS) && change.type() == Change.Type.ADDED) {
            job = new ObjectKey(change.key().namespace(), Json.text(change.object(), "target", "name"));
            event = VolcanoEvent.ofCommand(Json.text(change.object(), "action"));
            inbox.computeIfAbsent(job, unused -> new ConcurrentLinkedDeque<>()).add(event);
            // Under a key of its own, so that the command is deleted; its job comes with the deletion's change.
            return List.of(
                    job,
                    new ObjectKey(
                            "command/" + change.key().namespace(), change.key().name()));
        }
        if (event == null) {
            return List.of();
        }
        inbox.computeIfAbsent(job, unused -> new ConcurrentLinkedDeque<>()).add(event);
        return List.of(job);
    }

    private static VolcanoEvent ofJob(Change change) {
        if (change.type() != Change.Type.MODIFIED) {
            return VolcanoEvent.ofJob(VolcanoEvent.OUT_OF_SYNC);
        }
        JsonNode before = change.before().json();
        if (!before.path("spec").equals(change.object().path("spec"))) {
            return VolcanoEvent.ofJob(VolcanoEvent.JOB_UPDATED);
        }
        boolean moved = !VolcanoPhases.of(before).equals(VolcanoPhases.of(change.object()));
        return moved ? VolcanoEvent.ofJob(VolcanoEvent.OUT_OF_SYNC) : null;
    }

    private VolcanoEvent ofPod(Change change) {
        JsonNode pod = change.object();
        boolean gone = change.type() == Change.Type.DELETED;
        boolean mine = gone
                ? killed.remove(change.after().uid())
                : killed.contains(change.after().uid());
        String phase = Json.text(pod, "status", "phase");
        String before = change.before() == null ? "" : Json.text(change.before().json(), "status", "phase");
        boolean same = change.type() == Change.Type.MODIFIED
                && !change.after().deleting()
                && phase.equals(before)
                && VolcanoJobWork.restarts(pod)
                        == VolcanoJobWork.restarts(change.before().json());
        if (same) {
            return null;
        }
        String name = mine
                ? VolcanoEvent.OUT_OF_SYNC
                : eventName(gone || change.after().deleting(), phase);
        String version = Json.annotation(pod, VolcanoJob.VERSION);
        return new VolcanoEvent(
                name,
                Json.annotation(pod, VolcanoJob.TASK),
                change.key().name(),
                change.after().uid(),
                name.equals(VolcanoEvent.POD_FAILED) ? exitCode(pod) : 0,
                version.matches("\\d{1,9}") ? Integer.parseInt(version) : 0,
                "");
    }

    private static String eventName(boolean leaving, String phase) {
        if (leaving) {
            return VolcanoEvent.POD_EVICTED;
        }
        return switch (phase) {
            case "Failed" -> VolcanoEvent.POD_FAILED;
            case "Succeeded" -> VolcanoEvent.TASK_COMPLETED;
            case "Running" -> VolcanoEvent.POD_RUNNING;
            default -> VolcanoEvent.POD_PENDING;
        };
    }

    private static int exitCode(JsonNode pod) {
        return Json.at(pod, "status", "containerStatuses")
                .path(0)
                .path("state")
                .path("terminated")
                .path("exitCode")
                .asInt();
    }

    private static VolcanoEvent ofGroup(Change change) {
        String phase = Json.text(change.object(), "status", "phase");
        String before = change.before() == null ? "" : Json.text(change.before().json(), "status", "phase");
        if (change.type() != Change.Type.MODIFIED || phase.equals(before)) {
            return null;
        }
        return VolcanoEvent.ofJob(phase.equals("Unknown") ? VolcanoEvent.JOB_UNKNOWN : VolcanoEvent.OUT_OF_SYNC);
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        if (key.namespace().startsWith("command/")) {
            deleteCommand(new ObjectKey(key.namespace().substring("command/".length()), key.name()));
            return Optional.empty();
        }
        boolean known = store.locked(() -> {
            boolean there = store.get(JOBS, key) != null;
            if (!there) {
                inbox.remove(key); // as one step: whatever comes for a new job of that name stays
            }
            return there;
        });
        if (!known) {
            return Optional.empty();
        }
        handleEvents(key, inbox.getOrDefault(key, new ConcurrentLinkedDeque<>()));
        timeouts.due(key).forEach(late -> act(key, late.event(), late.action()));
        Optional<Duration> removal = removeAfterItsTime(key);
        Optional<Duration> timeout = timeouts.next(key);
        return removal.isPresent() && timeout.isPresent()
                ? removal.filter(it -> it.compareTo(timeout.get()) < 0).or(() -> timeout)
                : removal.or(() -> timeout);
    }

    /** Answers what is queued, in order; all that asks for no more than a sync is answered by one sync at the end. */
    private void handleEvents(ObjectKey key, Deque<VolcanoEvent> events) {
        VolcanoEvent sync = null;
        for (VolcanoEvent event = events.peek(); event != null; event = events.peek()) {
            String action = answer(key, event);
            if (action.equals(VolcanoActions.SYNC_JOB)) {
                sync = event;
            } else {
                act(key, event, action);
            }
            events.poll(); // only now: where acting ran into a conflict, the event is looked at again
        }
        if (sync != null) {
            act(key, sync, VolcanoActions.SYNC_JOB);
        }
    }

    private void deleteCommand(ObjectKey command) {
        if (store.get(COMMANDS, command) != null) {
            writer.delete(COMMANDS, command, DeleteOptions.DEFAULT);
        }
    }

    /** The action that answers an event now; one that waits for a time is put aside. */
    private String answer(ObjectKey key, VolcanoEvent event) {
        StoredObject job = store.get(JOBS, key);
        if (job == null || job.deleting()) {
            return VolcanoActions.SYNC_JOB;
        }
        timeouts.cancel(key, event);
        if (!event.command().isEmpty()) {
            return event.command();
        }
        if (event.version() < Json.at(job.json(), "status", "version").asInt()) {
            return VolcanoActions.SYNC_JOB;
        }
        VolcanoJob spec = VolcanoJob.of(job);
        Optional<VolcanoPolicy> policy = failure(job, spec, event).or(() -> completionOrOther(job, spec, event));
        if (policy.isPresent() && policy.get().timeout().isPresent()) {
            timeouts.put(key, event, policy.get());
            return VolcanoActions.SYNC_JOB;
        }
        return policy.map(VolcanoPolicy::action).orElse(VolcanoActions.SYNC_JOB);
    }

    /** A pod that is alive while the containers of its task were restarted too often says that the task failed. */
    private Optional<VolcanoPolicy> failure(StoredObject job, VolcanoJob spec, VolcanoEvent event) {
        boolean alive =
                event.name().equals(VolcanoEvent.POD_RUNNING) || event.name().equals(VolcanoEvent.POD_PENDING);
        VolcanoEvent failed = new VolcanoEvent(
                VolcanoEvent.TASK_FAILED, event.task(), event.pod(), event.uid(), 0, event.version(), "");
        return alive
                ? spec.policy(failed).filter(policy -> phases.work().taskFailed(job, spec, event.task()))
                : Optional.empty();
    }

    private Optional<VolcanoPolicy> completionOrOther(StoredObject job, VolcanoJob spec, VolcanoEvent event) {
        Optional<VolcanoPolicy> policy = event.internal() ? Optional.empty() : spec.policy(event);
        return event.name().equals(VolcanoEvent.TASK_COMPLETED)
                ? policy.filter(any -> phases.work().taskCompleted(job, spec, event.task()))
                : policy;
    }

    private void act(ObjectKey key, VolcanoEvent event, String action) {
        StoredObject job = store.get(JOBS, key);
        if (job == null || job.deleting()) {
            return;
        }
        phases.act(job, VolcanoJob.of(job), event, action);
        if (!action.equals(VolcanoActions.SYNC_JOB)) {
            timeouts.settle(key, event, action);
        }
    }

    /** Deletes a finished job when its time is over, with all it owns; how long that is still. */
    private Optional<Duration> removeAfterItsTime(ObjectKey key) {
        StoredObject job = store.get(JOBS, key);
        boolean finished = job != null && VolcanoPhases.FINISHED.contains(VolcanoPhases.of(job.json()));
        if (!finished || job.deleting() || VolcanoJob.of(job).ttlSeconds().isEmpty()) {
            return Optional.empty();
        }
        Duration left =
                timeouts.leftAfterFinish(key, VolcanoJob.of(job).ttlSeconds().getAsInt());
        if (left.isPositive()) {
            return Optional.of(left);
        }
        writer.delete(JOBS, key, DeleteOptions.DEFAULT.withUid(job.uid()));
        return Optional.empty();
    }
}
