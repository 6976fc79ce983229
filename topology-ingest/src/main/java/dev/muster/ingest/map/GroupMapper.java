package dev.muster.ingest.map;

import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.MatchPolicy;
import dev.muster.schemas.event.NetworkTopology;
import dev.muster.schemas.event.SubGroupPolicy;
import dev.muster.schemas.event.TaskSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
                        .setTopology(network(spec, problems))
                        .setSubGroups(subGroups(spec, problems))
                        .build(),
                problems);
    }

    /** spec.networkTopology; mode is hard where it is not given. Null where there is none. */
    private static NetworkTopology network(Tree spec, Problems problems) {
        if (!spec.has("networkTopology")) {
            return null;
        }
        Tree network = spec.child("networkTopology");
        String mode = network.text("mode");
        if (!mode.isEmpty() && !mode.equals("hard") && !mode.equals("soft")) {
            problems.invalid(network.path("mode"), mode, "hard or soft");
        }
        return new NetworkTopology(
                !mode.equals("soft"),
                network.number("highestTierAllowed", -1, 0, Integer.MAX_VALUE),
                network.text("highestTierName"));
    }

    private static List<SubGroupPolicy> subGroups(Tree spec, Problems problems) {
        List<SubGroupPolicy> policies = new ArrayList<>();
        for (Tree policy : spec.children("subGroupPolicy", Limits.TASKS)) {
            policies.add(new SubGroupPolicy(
                    policy.text("name"),
                    policy.number("subGroupSize", 1, 1, Limits.MEMBERS),
                    policy.number("minSubGroups", 0, 0, Limits.MEMBERS),
                    new Selectors(problems).labelSelector(policy.child("labelSelector")),
                    policy.texts("matchLabelKeys", Limits.TERMS),
                    network(policy, problems)));
        }
        return policies;
    }

    /** The facts of a scheduler-plugins PodGroup, with what Koordinator's annotations say of gangs that start together. */
    public static Mapped<GroupSpec> schedulerPlugins(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree spec = Tree.of(object, problems).child("spec");
        GangAnnotations gang = new GangAnnotations(object, problems);
        return Mapped.strict(
                common(object, spec, problems)
                        .setMatchPolicy(gang.matchPolicy())
                        .setStartsWith(gang.startsWith())
                        .setScheduleTimeoutSeconds(spec.number("scheduleTimeoutSeconds", 0, 0, LONGEST_TIMEOUT_SECONDS))
                        .build(),
                problems);
    }

    /** A gang of which nothing is said. Avro's own defaults of lists and enums want classes looked up by name. */
    static GroupSpec.Builder plain() {
        return GroupSpec.newBuilder()
                .setTasks(List.of())
                .setSubGroups(List.of())
                .setMatchPolicy(MatchPolicy.WAITING_AND_RUNNING)
                .setStartsWith(List.of())
                .setTree(List.of());
    }

    private static GroupSpec.Builder common(GenericKubernetesResource object, Tree spec, Problems problems) {
        Map<String, String> labels =
                Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        return plain().setQueue(spec.text("queue"))
                .setPriorityClass(spec.text("priorityClassName"))
                .setMinMember(spec.number("minMember", 0, 0, Limits.MEMBERS))
                .setPhase(Tree.of(object, problems).child("status").text("phase"))
                .setLocalQueue(KueueLabels.queue(labels, problems))
                .setWorkloadPriorityClass(KueueLabels.priorityClass(labels, problems))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()));
    }
}
