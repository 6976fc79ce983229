package dev.muster.ingest.map;

import dev.muster.schemas.event.TopologySpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;

/** A Topology of Kueue (kueue.x-k8s.io): node labels that name the levels, the widest first. */
public final class TopologyMapper {

    private TopologyMapper() {}

    /** The facts of {@code object}; its levels are the same in every version of the API. */
    public static Mapped<TopologySpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        List<String> levels = new ArrayList<>();
        for (Tree level : Tree.of(object, problems).child("spec").children("levels", Limits.LEVELS)) {
            String label = level.text("nodeLabel");
            if (label.isEmpty() || levels.contains(label)) {
                problems.invalid(level.path("nodeLabel"), label, "a label that no other level has");
            }
            levels.add(label);
        }
        return Mapped.strict(new TopologySpec(levels), problems);
    }
}
