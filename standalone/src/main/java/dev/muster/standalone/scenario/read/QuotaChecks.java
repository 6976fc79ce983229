package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.ingest.map.Mapped;
import dev.muster.ingest.map.QueueMapper;
import dev.muster.ingest.map.QuotaMapper;
import dev.muster.ingest.map.Refusal;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Queues, cohorts and flavors: what ingest would refuse of a cluster's objects is refused of a scenario's. */
final class QuotaChecks {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, Function<GenericKubernetesResource, Mapped<?>>> MAPPERS = Map.of(
            "scheduling.volcano.sh/v1beta1/Queue", QueueMapper::map,
            "kueue.x-k8s.io/v1beta2/ClusterQueue", QuotaMapper::clusterQueue,
            "kueue.x-k8s.io/v1beta2/Cohort", QuotaMapper::cohort,
            "kueue.x-k8s.io/v1beta2/LocalQueue", QuotaMapper::localQueue,
            "kueue.x-k8s.io/v1beta2/ResourceFlavor", QuotaMapper::flavor,
            "kueue.x-k8s.io/v1beta2/WorkloadPriorityClass", QuotaMapper::priorityClass);

    private QuotaChecks() {}

    static void check(Document document, String kind, JsonNode tree) {
        var mapper = MAPPERS.get(kind);
        if (mapper != null) {
            List<Refusal> refusals = mapper.apply(JSON.convertValue(tree, GenericKubernetesResource.class))
                    .refusals();
            if (!refusals.isEmpty()) {
                throw document.problem(refusals.getFirst().toString());
            }
        }
    }
}
