package dev.muster.ingest.map;

import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.TaskSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;

/** The two PodGroups: Volcano's (scheduling.volcano.sh/v1beta1) and scheduler-plugins' (scheduling.x-k8s.io/v1alpha1). */
public final class GroupMapper {

    private static final int LONGEST_TIMEOUT_SECONDS = 366 * 24 * 3600;

    private GroupMapper() {}

    /** The facts of a Volcano PodGroup; tasks come sorted by name, since minTaskMember is a map. */
    public static Mapped<GroupSpec> volcano(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        List<TaskSpec> tasks = new ArrayList<>();
        spec.numbers("minTaskMember", 0, Limits.MEMBERS)
                .forEach((task, minimum) -> tasks.add(new TaskSpec(task, minimum, -1, "")));
        return Mapped.strict(
                common(object, spec, problems)
                        .setTasks(tasks)
                        .setOwnerJob(Tree.owner(object, "Job"))
                        .build(),
                problems);
    }

    /** The facts of a scheduler-plugins PodGroup. */
    public static Mapped<GroupSpec> schedulerPlugins(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        return Mapped.strict(
                common(object, spec, problems)
                        .setTasks(List.of())
                        .setScheduleTimeoutSeconds(spec.number("scheduleTimeoutSeconds", 0, 0, LONGEST_TIMEOUT_SECONDS))
                        .build(),
                problems);
    }

    private static GroupSpec.Builder common(GenericKubernetesResource object, Tree spec, Problems problems) {
        return GroupSpec.newBuilder()
                .setQueue(spec.text("queue"))
                .setPriorityClass(spec.text("priorityClassName"))
                .setMinMember(spec.number("minMember", 0, 0, Limits.MEMBERS))
                .setPhase(Tree.of(object, problems).child("status").text("phase"))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()));
    }
}
