package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.NumaMachine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which NUMA nodes bound pods get, as the kubelets of their nodes hand them out. What is reported as available is what was so
 * when the report was applied; pods bound since count against it.
 */
final class NumaLedger {
    private final Map<String, NumaMachine> machines = new HashMap<>();
    private final Map<String, NumaMachine> machineOf = new HashMap<>();
    /** Pods that no kubelet would have admitted. */
    private final Set<String> anywhere = new HashSet<>();

    void object(String cluster, JsonNode object, boolean gone) {
        if (object.path("kind").asText().equals("NodeResourceTopology")) {
            String node = cluster + "/" + object.path("metadata").path("name").asText();
            if (gone) {
                machines.remove(node);
            } else {
                machines.computeIfAbsent(node, name -> new NumaMachine()).report(object);
            }
        }
    }

    void bound(PodView pod, JsonNode object) {
        NumaMachine machine = machines.get(pod.where());
        if (machine == null) {
            return;
        }
        if (!machine.admit(pod.uid(), object)) {
            anywhere.add(pod.uid());
        }
        machineOf.put(pod.uid(), machine);
    }

    void released(String uid) {
        NumaMachine machine = machineOf.remove(uid);
        if (machine != null) {
            machine.release(uid);
        }
        anywhere.remove(uid);
    }

    /** How many NUMA nodes a pod gets anything of: all of them where its kubelet would not have taken it. */
    int nodesOf(String uid) {
        NumaMachine machine = machineOf.get(uid);
        return machine == null ? 0 : anywhere.contains(uid) ? machine.zones() : machine.zonesOf(uid);
    }
}
