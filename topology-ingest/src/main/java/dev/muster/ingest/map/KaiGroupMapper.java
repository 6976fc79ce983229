package dev.muster.ingest.map;

import dev.muster.schemas.common.PodSetTopology;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.SubGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A PodGroup of KAI (scheduling.run.ai/v2alpha2): a minimum of pods, or subgroups in a tree with a minimum of pods at the
 * leaves and of subgroups above, and at each of them the level of a Topology that its pods must or should share. The name of
 * the Topology is not looked at: the first one that has the level counts.
 */
public final class KaiGroupMapper {
    /** Most subgroups inside each other. */
    private static final int DEEPEST = 16;

    private KaiGroupMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<GroupSpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree root = Tree.of(object, problems);
        Tree spec = root.child("spec");
        List<Tree> given = spec.children("subGroups", Limits.TASKS);
        List<SubGroup> tree = given.stream().map(KaiGroupMapper::subGroup).toList();
        checkTree(given, tree, problems);
        GroupSpec facts = GroupMapper.plain()
                .setQueue(spec.text("queue"))
                .setPriorityClass(spec.text("priorityClassName"))
                .setMinMember(spec.number("minMember", tree.isEmpty() ? 1 : 0, 0, Limits.MEMBERS))
                .setPhase(root.child("status").text("phase"))
                .setCreatedMillis(Timestamps.millis(object.getMetadata().getCreationTimestamp()))
                .setPlace(place(spec))
                .setMinSubGroups(spec.number("minSubGroup", 0, 0, Limits.TASKS))
                .setTree(tree)
                .build();
        return Mapped.strict(facts, problems);
    }

    private static SubGroup subGroup(Tree from) {
        return new SubGroup(
                from.text("name"),
                from.text("parent"),
                from.number("minMember", 1, 0, Limits.MEMBERS),
                from.number("minSubGroup", 0, 0, Limits.TASKS),
                place(from));
    }

    /** Null where it says nothing. */
    private static PodSetTopology place(Tree from) {
        Tree constraint = from.child("topologyConstraint");
        String required = constraint.text("requiredTopologyLevel");
        String preferred = constraint.text("preferredTopologyLevel");
        return required.isEmpty() && preferred.isEmpty()
                ? null
                : new PodSetTopology(required, preferred, false, List.of(), "", false);
    }

    private static void checkTree(List<Tree> given, List<SubGroup> tree, Problems problems) {
        Map<String, SubGroup> byName = new HashMap<>();
        for (int i = 0; i < tree.size(); i++) {
            String name = tree.get(i).getName();
            if (name.isEmpty() || byName.put(name, tree.get(i)) != null) {
                problems.invalid(given.get(i).path("name"), name, "a name that no other subgroup has");
            }
        }
        for (int i = 0; i < tree.size(); i++) {
            String parent = tree.get(i).getParent();
            int depth = 1;
            for (String above = parent; !above.isEmpty() && depth <= DEEPEST; depth++) {
                SubGroup around = byName.get(above);
                if (around == null) {
                    problems.invalid(given.get(i).path("parent"), above, "the name of a subgroup");
                    return;
                }
                above = around.getParent();
            }
            if (depth > DEEPEST) {
                problems.invalid(
                        given.get(i).path("parent"),
                        parent,
                        "subgroups that are not in themselves, and at most " + DEEPEST + " deep");
                return;
            }
        }
    }
}
