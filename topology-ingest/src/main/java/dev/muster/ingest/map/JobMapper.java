package dev.muster.ingest.map;

import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.TaskSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A Volcano Job (batch.volcano.sh/v1alpha1), with the defaults of Volcano's admission webhook: a task without a name is
 * {@code default<i>}; a task's minAvailable is its replicas, or minPartitions times partitionSize where it is partitioned;
 * the job's is the sum of its tasks'.
 */
public final class JobMapper {

    private JobMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<GroupSpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree root = Tree.of(object, problems);
        Tree spec = root.child("spec");
        List<Tree> given = spec.children("tasks", Limits.TASKS);
        List<TaskSpec> tasks = new ArrayList<>(given.size());
        Set<String> names = new HashSet<>();
        long sum = 0;
        for (int i = 0; i < given.size(); i++) {
            TaskSpec task = task(given.get(i), i);
            if (!names.add(task.getName())) {
                problems.invalid(given.get(i).path("name"), task.getName(), "a name no other task has");
            }
            tasks.add(task);
            sum += task.getMinMember();
        }
        problems.within("sum of the tasks' minAvailable", sum, Limits.MEMBERS);
        GroupSpec facts = GroupMapper.plain()
                .setQueue(spec.text("queue"))
                .setPriorityClass(spec.text("priorityClassName"))
                .setMinMember(spec.number("minAvailable", (int) Math.min(sum, Limits.MEMBERS), 0, Limits.MEMBERS))
                .setTasks(tasks)
                .setPhase(root.child("status").child("state").text("phase"))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()))
                .build();
        return Mapped.strict(facts, problems);
    }

    private static TaskSpec task(Tree task, int position) {
        String name = task.text("name");
        int replicas = task.number("replicas", 0, 0, Limits.MEMBERS);
        Tree partitions = task.child("partitionPolicy");
        long partitioned = (long) partitions.number("minPartitions", 0, 0, Limits.MEMBERS)
                * partitions.number("partitionSize", 0, 0, Limits.MEMBERS);
        int minimum = partitioned > 0 ? (int) Math.min(partitioned, Limits.MEMBERS) : replicas;
        return new TaskSpec(
                name.isEmpty() ? "default" + position : name,
                task.number("minAvailable", minimum, 0, Limits.MEMBERS),
                replicas,
                task.child("template").child("spec").text("priorityClassName"));
    }
}
