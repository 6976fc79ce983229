package dev.muster.ingest.map;

import dev.muster.schemas.common.PodRequirement;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.TreeMap;

/** Reads objects from YAML, and results as maps. */
final class Amounts {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Amounts() {}

    static <T> T yaml(Class<T> type, String text) {
        // Without the marker, flow style would be taken for JSON.
        return SERIALIZATION.unmarshal("---\n" + text, type);
    }

    static GenericKubernetesResource custom(String text) {
        return yaml(GenericKubernetesResource.class, text);
    }

    static Map<String, Long> of(PodRequirement requirement) {
        Map<String, Long> amounts = new TreeMap<>();
        requirement.getRequests().forEach(q -> amounts.put(q.getResource(), q.getAmount()));
        return amounts;
    }
}
