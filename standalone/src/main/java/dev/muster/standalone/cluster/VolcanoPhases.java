package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.VolcanoJobWork.Counts;
import java.util.Set;
import java.util.function.Function;

/** What an action does to a Volcano Job in each of its phases ({@code pkg/controllers/job/state}). */
final class VolcanoPhases {

    static final String PENDING = "Pending";
    static final String RUNNING = "Running";
    static final String RESTARTING = "Restarting";
    static final String ABORTING = "Aborting";
    static final String ABORTED = "Aborted";
    static final String COMPLETING = "Completing";
    static final String COMPLETED = "Completed";
    static final String TERMINATING = "Terminating";
    static final String TERMINATED = "Terminated";
    static final String FAILED = "Failed";

    /** Phases that nothing leads out of. */
    static final Set<String> FINISHED = Set.of(COMPLETED, TERMINATED, FAILED);

    private final VolcanoJobWork work;

    VolcanoPhases(VolcanoJobWork work) {
        this.work = work;
    }

    VolcanoJobWork work() {
        return work;
    }

    /** The phase of a job; Pending where it has none yet. */
    static String of(JsonNode job) {
        String phase = Json.text(job, "status", "state", "phase");
        return phase.isEmpty() ? PENDING : phase;
    }

    void act(StoredObject job, VolcanoJob spec, VolcanoEvent event, String action) {
        switch (of(job.json())) {
            case RUNNING -> whileUp(job, spec, event, action, counts -> whenRunning(spec, counts));
            case RESTARTING -> whileRestarting(job, spec, event, action);
            case ABORTING -> whileStopping(job, spec, action, ABORTING, ABORTED);
            case ABORTED -> whileStopping(job, spec, action, ABORTED, ABORTED);
            case COMPLETING -> work.killJob(job, spec, true, counts -> counts.alive() == 0 ? COMPLETED : COMPLETING);
            case TERMINATING -> work.killJob(job, spec, true, counts -> counts.alive() == 0 ? TERMINATED : TERMINATING);
            case COMPLETED, TERMINATED, FAILED -> work.killJob(job, spec, true, counts -> of(job.json()));
            default -> whileUp(job, spec, event, action, counts -> whenPending(spec, counts));
        }
    }

    private void whileUp(
            StoredObject job, VolcanoJob spec, VolcanoEvent event, String action, Function<Counts, String> onSync) {
        switch (action) {
            case VolcanoActions.RESTART_JOB -> work.restartJob(job, spec, false);
            case VolcanoActions.RESTART_TASK -> work.restartSome(job, spec, event.task(), "", true, RESTARTING);
            case VolcanoActions.RESTART_POD -> work.restartSome(job, spec, event.task(), event.pod(), true, RESTARTING);
            case VolcanoActions.ABORT_JOB -> work.killJob(job, spec, true, counts -> ABORTING);
            case VolcanoActions.TERMINATE_JOB -> work.killJob(job, spec, true, counts -> TERMINATING);
            case VolcanoActions.COMPLETE_JOB -> work.killJob(job, spec, true, counts -> COMPLETING);
            default -> work.sync(job, spec, onSync);
        }
    }

    private void whileRestarting(StoredObject job, VolcanoJob spec, VolcanoEvent event, String action) {
        Function<Counts, String> next = counts -> whenRestarting(job, spec, counts);
        switch (action) {
            case VolcanoActions.SYNC_JOB -> work.sync(job, spec, next);
            case VolcanoActions.RESTART_TASK -> work.restartSome(job, spec, event.task(), "", false, RESTARTING);
            case VolcanoActions.RESTART_POD ->
                work.restartSome(job, spec, event.task(), event.pod(), false, RESTARTING);
            default -> {
                // A late second RestartJob must not delete the group that was made anew (volcano#6037).
                if (work.hasLivePods(job)) {
                    work.killJob(job, spec, false, next);
                } else {
                    work.sync(job, spec, next);
                }
            }
        }
    }

    private void whileStopping(StoredObject job, VolcanoJob spec, String action, String now, String then) {
        if (action.equals(VolcanoActions.RESUME_JOB)) {
            work.restartJob(job, spec, true);
        } else {
            work.killJob(job, spec, true, counts -> counts.alive() == 0 ? then : now);
        }
    }

    private static String whenPending(VolcanoJob spec, Counts counts) {
        return spec.total() > 0 && spec.minAvailable() <= counts.started() ? RUNNING : PENDING;
    }

    private static String whenRestarting(StoredObject job, VolcanoJob spec, Counts counts) {
        if (Json.at(job.json(), "status", "retryCount").asInt() >= spec.maxRetry()) {
            return FAILED;
        }
        return spec.total() - counts.terminating() >= spec.minAvailable() ? PENDING : RESTARTING;
    }

    private static String whenRunning(VolcanoJob spec, Counts counts) {
        int total = spec.total();
        if (total == 0) {
            return RUNNING; // scaled to nothing: the phase stays
        }
        if (spec.minSuccess().isPresent()
                && counts.succeeded() >= spec.minSuccess().getAsInt()) {
            return COMPLETED;
        }
        if (counts.succeeded() + counts.failed() == total) {
            return whenAllEnded(spec, counts);
        }
        return counts.pending() > total - spec.minAvailable() ? PENDING : RUNNING;
    }

    private static String whenAllEnded(VolcanoJob spec, Counts counts) {
        if (spec.minAvailable() >= spec.sumOfMinimums()) {
            for (VolcanoJob.Task task : spec.tasks()) {
                if (task.ownMinimum() && counts.succeededOf(task.name()) < task.minAvailable()) {
                    return FAILED;
                }
            }
        }
        int wanted = spec.minSuccess().orElse(spec.minAvailable());
        return counts.succeeded() >= wanted ? COMPLETED : FAILED;
    }
}
