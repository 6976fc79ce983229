package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.SimulatedCluster;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Acts on a simulated cluster. */
final class SimulatedClusterWriter implements ClusterWriter {
    private final SimulatedCluster cluster;
    /** Pods that are to end as soon as they have a node, as namespace/name. */
    private final Set<String> ending = ConcurrentHashMap.newKeySet();

    SimulatedClusterWriter(SimulatedCluster cluster) {
        this.cluster = cluster;
        cluster.store().subscribe(ResourceKinds.PODS, (type, pod) -> {
            if (bound(pod) && ending.remove(key(pod))) {
                end(pod);
            }
        });
    }

    @Override
    public void apply(ObjectNode object) {
        cluster.store().apply(object);
    }

    @Override
    public void finish(String namespace, String name) {
        String key = namespace + "/" + name;
        ending.add(key);
        // It may have been bound just before that.
        cluster.store().get(ResourceKinds.PODS, namespace, name).ifPresent(pod -> {
            if (bound(pod) && ending.remove(key)) {
                end(pod);
            }
        });
    }

    private void end(JsonNode pod) {
        cluster.kubelet()
                .endPod(
                        pod.at("/metadata/namespace").asText(),
                        pod.at("/metadata/name").asText());
    }

    private static boolean bound(JsonNode pod) {
        return !pod.at("/spec/nodeName").asText().isEmpty();
    }

    private static String key(JsonNode pod) {
        return pod.at("/metadata/namespace").asText() + "/"
                + pod.at("/metadata/name").asText();
    }
}
