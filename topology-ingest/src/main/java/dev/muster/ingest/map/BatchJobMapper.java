package dev.muster.ingest.map;

import dev.muster.schemas.event.GroupSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.Map;
import java.util.Objects;

/**
 * A batch/v1 Job. Where it names a LocalQueue, or its pods ask for a place in the topology, its pods are one pod set as for
 * Kueue: as many as run at once ({@code min(parallelism, completions)}) start together, or so many of them as the annotation
 * {@code kueue.x-k8s.io/job-min-parallelism} says. Of other Jobs each pod stands alone.
 */
public final class BatchJobMapper {

    private static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";

    private BatchJobMapper() {}

    /** The facts of {@code object}; none while it is suspended, since it has no pods then. */
    public static Mapped<GroupSpec> map(Job object) {
        JobSpec spec = object.getSpec();
        if (spec == null || Boolean.TRUE.equals(spec.getSuspend())) {
            return Mapped.unused();
        }
        Problems problems = new Problems();
        Map<String, String> labels =
                Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        String localQueue = KueueLabels.queue(labels, problems);
        boolean together = !localQueue.isEmpty() || asksForTopology(spec);
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        int completions = Objects.requireNonNullElse(spec.getCompletions(), parallelism);
        int atOnce = Math.min(parallelism, completions);
        problems.within("spec.parallelism", atOnce, Limits.MEMBERS);
        var template = spec.getTemplate() == null ? null : spec.getTemplate().getSpec();
        String priorityClass = template == null ? "" : Objects.requireNonNullElse(template.getPriorityClassName(), "");
        problems.within("spec.template.spec.priorityClassName", priorityClass.length(), Limits.NAME);
        Problems notes = new Problems();
        int least = Math.min(atOnce, minParallelism(object, parallelism, notes));
        GroupSpec facts = GroupMapper.plain()
                .setPriorityClass(priorityClass)
                .setMinMember(Math.max(0, least))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()))
                .setLocalQueue(localQueue)
                .setWorkloadPriorityClass(KueueLabels.priorityClass(labels, problems))
                .setAlone(!together)
                .setEndsByMillis(endsBy(object))
                .setWanted(together ? wanted(object, parallelism, completions) : -1)
                .build();
        return problems.any() ? Mapped.strict(facts, problems) : Mapped.lenient(facts, notes);
    }

    /** Pods that must start together; all that run at once where nothing else is said, or not what Kueue would take. */
    private static int minParallelism(Job object, int parallelism, Problems notes) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
        String text = annotations.get(MIN_PARALLELISM);
        if (text == null) {
            return parallelism;
        }
        int least = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (least < 1 || least >= parallelism) {
            notes.invalid("metadata.annotations[" + MIN_PARALLELISM + "]", text, "from 1 to " + (parallelism - 1L));
            return parallelism;
        }
        return least;
    }

    private static boolean asksForTopology(JobSpec spec) {
        return spec.getTemplate() != null
                && spec.getTemplate().getMetadata() != null
                && PodSetTopologies.asked(spec.getTemplate().getMetadata().getAnnotations());
    }

    /** The Job's controller counts from when it started it, anew after each suspension. */
    private static long endsBy(Job object) {
        Long seconds = object.getSpec().getActiveDeadlineSeconds();
        var status = object.getStatus();
        return seconds == null || status == null
                ? 0
                : Timestamps.after(Timestamps.millis(status.getStartTime()), seconds);
    }

    /** Pods that are still to run at once: none when the job is over (Kueue's reclaimablePods, from the other side). */
    private static int wanted(Job object, int parallelism, int completions) {
        var status = object.getStatus();
        if (status == null) {
            return Math.clamp(completions, 0, Math.max(0, parallelism));
        }
        boolean over = status.getConditions() != null
                && status.getConditions().stream()
                        .anyMatch(condition -> ("Complete".equals(condition.getType())
                                        || "Failed".equals(condition.getType())
                                        || "FailureTarget".equals(condition.getType())
                                        || "SuccessCriteriaMet".equals(condition.getType()))
                                && "True".equals(condition.getStatus()));
        int left = completions - Objects.requireNonNullElse(status.getSucceeded(), 0);
        return over ? 0 : Math.clamp(left, 0, Math.max(0, parallelism));
    }
}
