package dev.muster.ingest.map;

import dev.muster.schemas.event.GroupSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.Objects;

/**
 * A batch/v1 Job whose pods ask for a place in the topology: as for Kueue, its pods are then one pod set, of as many as run
 * at once ({@code min(parallelism, completions)}), and start together. Of other Jobs the pods stand alone.
 */
public final class BatchJobMapper {

    private BatchJobMapper() {}

    /** The facts of {@code object}; none while it is suspended, since it has no pods then. */
    public static Mapped<GroupSpec> map(Job object) {
        JobSpec spec = object.getSpec();
        boolean asks = spec != null
                && spec.getTemplate() != null
                && spec.getTemplate().getMetadata() != null
                && PodSetTopologies.asked(spec.getTemplate().getMetadata().getAnnotations());
        if (!asks || Boolean.TRUE.equals(spec.getSuspend())) {
            return Mapped.unused();
        }
        Problems problems = new Problems();
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        int together = Math.min(parallelism, Objects.requireNonNullElse(spec.getCompletions(), parallelism));
        problems.within("spec.parallelism", together, Limits.MEMBERS);
        var template = spec.getTemplate().getSpec();
        String priorityClass = template == null ? "" : Objects.requireNonNullElse(template.getPriorityClassName(), "");
        problems.within("spec.template.spec.priorityClassName", priorityClass.length(), Limits.NAME);
        GroupSpec facts = GroupMapper.plain()
                .setPriorityClass(priorityClass)
                .setMinMember(Math.max(0, together))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()))
                .build();
        return Mapped.strict(facts, problems);
    }
}
