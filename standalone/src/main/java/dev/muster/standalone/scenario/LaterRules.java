package dev.muster.standalone.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Fields of kinds that are used, whose rules are not there yet: they are read, kept, and named in the output. */
final class LaterRules {
    private record Field(String path, String what) {}

    private static final List<Field> OF_POD_SPECS =
            List.of(new Field("/resourceClaims", "dynamic resource allocation"));
    private static final List<Field> OF_CLUSTER_QUEUES = List.of(
            new Field("/admissionChecks", "admission checks"),
            new Field("/admissionChecksStrategy", "admission checks"));

    private LaterRules() {}

    /** What the manifest asks for that nothing looks at yet, one phrase each. */
    static List<String> of(Manifest manifest) {
        List<String> found = new ArrayList<>();
        JsonNode spec = manifest.tree().path("spec");
        switch (manifest.kind()) {
            case "Pod" -> collect(found, "spec", spec, OF_POD_SPECS);
            case "ClusterQueue" -> collect(found, "spec", spec, OF_CLUSTER_QUEUES);
            case "Job" -> {
                collect(found, "spec.template.spec", spec.path("template").path("spec"), OF_POD_SPECS);
                for (int i = 0; i < spec.path("tasks").size(); i++) {
                    JsonNode pod = spec.path("tasks").get(i).path("template").path("spec");
                    collect(found, "spec.tasks[" + i + "].template.spec", pod, OF_POD_SPECS);
                }
            }
            default -> {
                // Other kinds are used whole, or not at all.
            }
        }
        return found;
    }

    private static void collect(List<String> found, String prefix, JsonNode spec, List<Field> fields) {
        for (Field field : fields) {
            JsonNode value = spec.at(field.path());
            if (!value.isMissingNode() && !(value.isContainerNode() && value.isEmpty())) {
                found.add(prefix + field.path().replace('/', '.') + " (" + field.what() + ")");
            }
        }
    }
}
