package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Actions of Volcano's policies that wait for a time ({@code delayActionMap}), one per pod, and the times at which jobs
 * finished.
 */
final class VolcanoTimeouts {

    /** An action that is due, and the event it answers. */
    record Late(VolcanoEvent event, String action, long dueMillis) {}

    private final Timeline timeline;
    private final Map<ObjectKey, TreeMap<String, Late>> late = new HashMap<>();
    private final Map<ObjectKey, Long> finished = new HashMap<>();

    VolcanoTimeouts(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Lets an action wait; one that already waits for the same pod with the same action stays. */
    synchronized void put(ObjectKey job, VolcanoEvent event, VolcanoPolicy policy) {
        Map<String, Late> ofJob = late.computeIfAbsent(job, unused -> new TreeMap<>());
        Late before = ofJob.get(event.pod());
        if (before == null || !before.action().equals(policy.action())) {
            long due = timeline.elapsedMillis()
                    + policy.timeout().orElse(Duration.ZERO).toMillis();
            ofJob.put(event.pod(), new Late(event, policy.action(), due));
        }
    }

    /**
     * Something happened to a pod: that it was pending is over where it is the same pod; that it failed or was evicted is
     * over when a pod of its name runs.
     */
    synchronized void cancel(ObjectKey job, VolcanoEvent event) {
        Late waiting = event.ofPod() && late.containsKey(job) ? late.get(job).get(event.pod()) : null;
        if (waiting == null || event.name().equals(VolcanoEvent.POD_PENDING)) {
            return;
        }
        boolean pending = waiting.event().name().equals(VolcanoEvent.POD_PENDING);
        boolean over = pending
                ? waiting.event().uid().equals(event.uid())
                : event.name().equals(VolcanoEvent.POD_RUNNING);
        if (over) {
            late.get(job).remove(event.pod());
        }
    }

    /** An action was carried out: others that wait to do the same to the same job, task or pod need not any more. */
    synchronized void settle(ObjectKey job, VolcanoEvent event, String action) {
        late.getOrDefault(job, new TreeMap<>())
                .values()
                .removeIf(other -> action.equals(VolcanoActions.RESTART_POD)
                        ? other.event().pod().equals(event.pod())
                        : action.equals(VolcanoActions.RESTART_TASK)
                                ? other.action().equals(action)
                                        && other.event().task().equals(event.task())
                                : !VolcanoActions.targeted(other.action()));
    }

    /** Takes out what is due now. */
    synchronized List<Late> due(ObjectKey job) {
        List<Late> due = new ArrayList<>();
        late.getOrDefault(job, new TreeMap<>()).values().removeIf(each -> {
            boolean now = each.dueMillis() <= timeline.elapsedMillis();
            if (now) {
                due.add(each);
            }
            return now;
        });
        return due;
    }

    /** How long until the next one is due. */
    synchronized Optional<Duration> next(ObjectKey job) {
        return late.getOrDefault(job, new TreeMap<>()).values().stream()
                .map(Late::dueMillis)
                .min(Long::compare)
                .map(due -> Duration.ofMillis(Math.max(1, due - timeline.elapsedMillis())));
    }

    /** What is left of a finished job's time; it runs from the first time this is asked. */
    synchronized Duration leftAfterFinish(ObjectKey job, int ttlSeconds) {
        long since = finished.computeIfAbsent(job, unused -> timeline.elapsedMillis());
        return Duration.ofMillis(since + ttlSeconds * 1000L - timeline.elapsedMillis());
    }

    synchronized void forget(ObjectKey job) {
        late.remove(job);
        finished.remove(job);
    }
}
