package dev.muster.standalone.kill;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.SimulatedCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is true in the cluster, from its store's changes alone, with plain maps: which pod is where, who uses what of a
 * node, and since when a gang is bound in part. Knows nothing of decisions, holds or the scheduler's arithmetic.
 */
final class Oracle {
    /** A binding: when it took effect, and the decision that the pod says it was bound by. */
    record Bound(String pod, String uid, String node, String decision, String workload, long nanos) {}

    /** A time during which some pods of a gang were bound and others not. */
    record Partial(String workload, String decision, long fromMillis, long toMillis) {}

    private static final class Pod {
        String uid;
        String name;
        String workload;
        int size;
        String node = "";
        long gpus;
        List<String> devices = List.of();
        boolean ended;
        boolean succeeded;
        String decision = "";
    }

    private static final class Gang {
        final Set<String> bound = new HashSet<>();
        final Set<String> succeeded = new HashSet<>();
        int size;
        long partialSinceMillis = -1;
        String decision = "";
    }

    private final Map<String, Long> gpusOf = new HashMap<>();
    private final Map<String, Long> usedOf = new HashMap<>();
    private final Map<String, String> deviceUser = new HashMap<>();
    private final Map<String, Pod> pods = new HashMap<>();
    private final Map<String, Gang> gangs = new HashMap<>();
    private final List<Bound> bindings = new ArrayList<>();
    private final List<Partial> partials = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private Oracle() {}

    /** Follows a cluster from now on. */
    static Oracle of(SimulatedCluster cluster) {
        Oracle oracle = new Oracle();
        cluster.store().subscribe(ResourceKinds.NODES, (type, node) -> oracle.node(node));
        cluster.store().subscribe(ResourceKinds.PODS, oracle::pod);
        return oracle;
    }

    /** Nodes or GPUs used by more than there is, pods on two nodes. */
    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized List<Bound> bindings() {
        return List.copyOf(bindings);
    }

    /** Times of gangs being bound in part that are over. */
    synchronized List<Partial> partials() {
        return List.copyOf(partials);
    }

    /** Gangs that are bound in part now. */
    synchronized List<String> partlyBound() {
        return gangs.entrySet().stream()
                .filter(entry -> entry.getValue().partialSinceMillis >= 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Whether all pods of a workload ran to their end. */
    synchronized boolean ran(Workload workload) {
        Gang gang = gangs.get(workload.name());
        return gang != null && gang.succeeded.size() == workload.pods();
    }

    /** How many of these workloads have pods that did not run to their end yet. */
    synchronized long waiting(Collection<Workload> workloads) {
        return workloads.stream().filter(workload -> !ran(workload)).count();
    }

    /** Whether all pods of a workload are or were bound. */
    synchronized boolean bound(Workload workload) {
        Gang gang = gangs.get(workload.name());
        return gang != null && gang.bound.size() == workload.pods();
    }

    /** Pods that exist and have not ended. */
    synchronized List<String> open() {
        return pods.values().stream()
                .filter(pod -> !pod.ended)
                .map(pod -> pod.name)
                .sorted()
                .toList();
    }

    private synchronized void node(JsonNode node) {
        gpusOf.put(
                node.at("/metadata/name").asText(),
                node.at("/status/allocatable").path(Workload.GPU).asLong());
    }

    private synchronized void pod(String type, JsonNode object) {
        String uid = object.at("/metadata/uid").asText();
        Pod pod = pods.computeIfAbsent(uid, unused -> read(object));
        String node = object.at("/spec/nodeName").asText("");
        if (!node.isEmpty() && pod.node.isEmpty()) {
            bind(pod, node, object);
        } else if (!node.equals(pod.node)) {
            violations.add("pod " + pod.name + " moved from " + pod.node + " to " + node);
        }
        String phase = object.at("/status/phase").asText("");
        if (!pod.ended && (type.equals("DELETED") || phase.equals("Succeeded") || phase.equals("Failed"))) {
            pod.ended = true;
            pod.succeeded = phase.equals("Succeeded");
            free(pod);
        }
        if (type.equals("DELETED")) {
            pods.remove(uid);
        }
        if (pod.size > 0) {
            judge(pod);
        }
    }

    private static Pod read(JsonNode object) {
        Pod pod = new Pod();
        pod.uid = object.at("/metadata/uid").asText();
        pod.name = object.at("/metadata/name").asText();
        JsonNode labels = object.at("/metadata/labels");
        pod.workload = labels.path(Workload.NAME).asText("");
        pod.size = labels.path(Workload.SIZE).asInt(0);
        pod.gpus = object.at("/spec/containers/0/resources/requests")
                .path(Workload.GPU)
                .asLong();
        return pod;
    }

    private void bind(Pod pod, String node, JsonNode object) {
        pod.node = node;
        JsonNode annotations = object.at("/metadata/annotations");
        pod.decision = annotations.path("muster.dev/decision").asText("");
        bindings.add(new Bound(pod.name, pod.uid, node, pod.decision, pod.workload, System.nanoTime()));
        long used = usedOf.merge(node, pod.gpus, Long::sum);
        if (used > gpusOf.getOrDefault(node, 0L)) {
            violations.add("node " + node + " has " + gpusOf.get(node) + " GPUs, " + used + " are used since pod "
                    + pod.name + " of decision " + pod.decision);
        }
        String devices = annotations.path("muster.dev/gpu-devices").asText("");
        pod.devices = devices.isEmpty()
                ? List.of()
                : List.of(devices.split(",")).stream().map(d -> node + "/" + d).toList();
        for (String device : pod.devices) {
            String other = deviceUser.put(device, pod.name);
            if (other != null) {
                violations.add("GPU " + device + " is used by " + other + " and by " + pod.name);
            }
        }
        if (pod.devices.size() != pod.gpus) {
            violations.add("pod " + pod.name + " asked " + pod.gpus + " GPUs and got " + pod.devices);
        }
    }

    private void free(Pod pod) {
        if (!pod.node.isEmpty()) {
            usedOf.merge(pod.node, -pod.gpus, Long::sum);
            pod.devices.forEach(device -> deviceUser.remove(device, pod.name));
        }
    }

    private void judge(Pod pod) {
        Gang gang = gangs.computeIfAbsent(pod.workload, unused -> new Gang());
        gang.size = pod.size;
        if (pod.succeeded) {
            gang.succeeded.add(pod.name);
        }
        if (!pod.node.isEmpty() && (!pod.ended || pod.succeeded)) {
            gang.bound.add(pod.name);
            gang.decision = pod.decision;
        } else if (!gang.succeeded.contains(pod.name)) {
            gang.bound.remove(pod.name);
        }
        boolean partial = !gang.bound.isEmpty() && gang.bound.size() < gang.size;
        long now = System.currentTimeMillis();
        if (partial && gang.partialSinceMillis < 0) {
            gang.partialSinceMillis = now;
        } else if (!partial && gang.partialSinceMillis >= 0) {
            partials.add(new Partial(pod.workload, gang.decision, gang.partialSinceMillis, now));
            gang.partialSinceMillis = -1;
        }
    }
}
