package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** What a pod requests of its node, in thousandths per resource. The source is kube-scheduler's resource helpers. */
public final class PodResources {

    static final String GPU = "nvidia.com/gpu";

    private PodResources() {}

    /** Containers and sidecars together, or the largest init container with the sidecars before it, plus overhead. */
    public static Map<String, Long> requests(JsonNode pod) {
        JsonNode spec = pod.path("spec");
        Map<String, Long> running = new TreeMap<>();
        spec.path("containers").forEach(container -> add(running, container));
        Map<String, Long> sidecars = new TreeMap<>();
        Map<String, Long> peak = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            if (container.path("restartPolicy").asText().equals("Always")) {
                add(running, container);
                add(sidecars, container);
                sidecars.forEach((name, amount) -> peak.merge(name, amount, Math::max));
            } else {
                Map<String, Long> starting = new TreeMap<>(sidecars);
                add(starting, container);
                starting.forEach((name, amount) -> peak.merge(name, amount, Math::max));
            }
        }
        peak.forEach((name, amount) -> running.merge(name, amount, Math::max));
        spec.path("resources")
                .path("requests")
                .properties()
                .forEach(request -> running.put(request.getKey(), Quantities.milli(request.getValue())));
        spec.path("overhead")
                .properties()
                .forEach(extra -> running.merge(extra.getKey(), Quantities.milli(extra.getValue()), Math::addExact));
        running.put("pods", 1000L);
        return running;
    }

    private static void add(Map<String, Long> sum, JsonNode container) {
        JsonNode requests = container.path("resources").path("requests");
        requests.properties()
                .forEach(request -> sum.merge(request.getKey(), Quantities.milli(request.getValue()), Math::addExact));
        container.path("resources").path("limits").properties().forEach(limit -> {
            if (!requests.has(limit.getKey())) {
                sum.merge(limit.getKey(), Quantities.milli(limit.getValue()), Math::addExact);
            }
        });
    }

    /** The quality of service class: Guaranteed, Burstable or BestEffort. */
    static String qosClass(JsonNode pod) {
        boolean any = false;
        boolean guaranteed = true;
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : pod.path("spec").path(list)) {
                for (String resource : new String[] {"cpu", "memory"}) {
                    JsonNode request = Json.at(container, "resources", "requests", resource);
                    JsonNode limit = Json.at(container, "resources", "limits", resource);
                    any |= !request.isMissingNode() || !limit.isMissingNode();
                    guaranteed &= !limit.isMissingNode()
                            && (request.isMissingNode() || Quantities.milli(request) == Quantities.milli(limit));
                }
            }
        }
        return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }
}
