package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.scenario.observe.Happening.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All member clusters as somebody sees them who watches their API servers: told of every change, it knows what is there now
 * and what has happened. Not thread-safe.
 */
public final class Clusters {

    /** One eviction: of the pod of that path. */
    public record Eviction(long atMillis, String cluster, String path, String belongsTo, String why) {}

    private final TreeMap<String, PodView> pods = new TreeMap<>();
    private final TreeMap<String, NodeView> nodes = new TreeMap<>();
    private final Objects objects = new Objects();
    private final TreeMap<String, StatusView> statuses = new TreeMap<>();
    private final TreeSet<String> podsEver = new TreeSet<>();
    private final TreeSet<String> nodesEver = new TreeSet<>();
    private final List<Eviction> evictions = new ArrayList<>();
    private final List<Happening> happenings = new ArrayList<>();
    private final NumaLedger numa = new NumaLedger();
    private long nowMillis;

    /** Says what time it is, in milliseconds from the beginning. */
    public void now(long millis) {
        nowMillis = millis;
    }

    /** Takes a change of any object; the type is ADDED, MODIFIED or DELETED. */
    public void changed(String cluster, String type, JsonNode object) {
        boolean gone = type.equals("DELETED");
        switch (object.path("apiVersion").asText() + "/" + object.path("kind").asText()) {
            case "v1/Pod" -> pod(PodView.of(cluster, object), object, gone);
            case "v1/Node" -> node(NodeView.of(cluster, object), gone);
            default -> {
                numa.object(cluster, object, gone);
                objects.changed(cluster, object, gone)
                        .ifPresent(state -> happened(Type.STATE, cluster, state.subject(), "", state.text()));
            }
        }
    }

    private void pod(PodView pod, JsonNode object, boolean gone) {
        String key = pod.cluster() + "|" + pod.path() + "|" + pod.uid();
        PodView before = gone ? pods.remove(key) : pods.put(key, pod);
        podsEver.add(pod.path());
        boolean wasThere = before != null;
        if (!pod.node().isEmpty() && (!wasThere || before.node().isEmpty())) {
            happened(Type.PLACED, pod, pod.node());
            numa.bound(pod, object);
        }
        if (!pod.disrupted().isEmpty() && (!wasThere || before.disrupted().isEmpty())) {
            evictions.add(new Eviction(nowMillis, pod.cluster(), pod.path(), pod.belongsTo(), pod.disrupted()));
            happened(Type.EVICTED, pod, pod.disrupted());
        } else if (pod.deleting() && pod.holdsRoom() && !gone && (!wasThere || !before.deleting())) {
            happened(Type.STOPPING, pod, "");
        }
        if (pod.finished() && !pod.deleting() && (!wasThere || !before.finished())) {
            happened(pod.phase().equals("Failed") ? Type.FAILED : Type.SUCCEEDED, pod, why(object));
        }
        if (gone
                && wasThere
                && (before.holdsRoom() || before.deleting() && !before.node().isEmpty())) {
            happened(Type.GONE, pod, "");
        }
        if (gone || pod.finished()) {
            numa.released(pod.uid());
        }
    }

    private static String why(JsonNode pod) {
        String reason = pod.path("status").path("reason").asText("");
        if (!reason.isEmpty()) {
            return reason;
        }
        JsonNode container = pod.path("status").path("containerStatuses").path(0);
        int code = container.path("state").path("terminated").path("exitCode").asInt(0);
        return code == 0 ? "" : "exit code " + code;
    }

    private void node(NodeView node, boolean gone) {
        nodesEver.add(node.name());
        NodeView before = gone ? nodes.remove(node.where()) : nodes.put(node.where(), node);
        String text = NodeNews.of(before, node, gone);
        if (!text.isEmpty()) {
            happened(Type.NODE, node.cluster(), node.name(), "", text);
        }
    }

    /** Takes what the scheduler says of a workload; null when it says nothing any more. */
    public void status(String id, StatusView status) {
        StatusView before = status == null ? statuses.remove(id) : statuses.put(id, status);
        if (status != null
                && !status.code().isEmpty()
                && (before == null || !before.code().equals(status.code()))) {
            happened(
                    Type.WAITS,
                    status.cluster(),
                    status.namespace() + "/" + status.name(),
                    "",
                    status.code() + ": " + status.message());
        }
    }

    private void happened(Type type, PodView pod, String detail) {
        happened(type, pod.cluster(), pod.belongsTo(), pod.name(), detail);
    }

    /** Takes note of something that is not a change of an object. */
    public void happened(Type type, String cluster, String subject, String pod, String detail) {
        happenings.add(new Happening(nowMillis, type, cluster, subject, pod, detail));
    }

    public long nowMillis() {
        return nowMillis;
    }

    /** Pods that exist, by cluster, namespace and name. */
    public Collection<PodView> pods() {
        return pods.values();
    }

    /** Nodes that exist, by cluster and name. */
    public Collection<NodeView> nodes() {
        return nodes.values();
    }

    public NodeView nodeOf(PodView pod) {
        return nodes.get(pod.where());
    }

    /** Whether a pod of a matching path ever existed. */
    public boolean everPod(Predicate<String> path) {
        return podsEver.stream().anyMatch(path);
    }

    /** Whether a node of a matching name ever existed. */
    public boolean everNode(Predicate<String> name) {
        return nodesEver.stream().anyMatch(name);
    }

    public List<Eviction> evictions() {
        return evictions;
    }

    public List<Happening> happenings() {
        return happenings;
    }

    /** NUMA nodes that a bound pod's cpus, memory and devices come from; 0 where its node reports none. */
    public int numaNodes(PodView pod) {
        return numa.nodesOf(pod.uid());
    }

    /** All jobs and pod groups, and pods that belong to none. */
    public List<WorkloadView> workloads() {
        return new WorkloadFinder(pods.values(), objects, statuses.values()).all();
    }

    /** Jobs of that name; where there is none, pod groups; then Workloads; then a pod by itself. */
    public List<WorkloadView> workloads(Predicate<String> path) {
        return new WorkloadFinder(pods.values(), objects, statuses.values()).find(path);
    }

    /** Whether a ClusterQueue or Volcano Queue of that name ever existed. */
    public boolean everQueue(String name) {
        return objects.everQueue(name);
    }

    /** What pods charged to the queue hold, in thousandths per resource. */
    public Map<String, Long> queueUsageMilli(String queue) {
        TreeMap<String, Long> usage = new TreeMap<>();
        for (PodView pod : pods.values()) {
            if (pod.ours() && pod.holdsRoom() && objects.queueOf(pod).equals(queue)) {
                pod.requestsMilli().forEach((resource, milli) -> usage.merge(resource, milli, Long::sum));
            }
        }
        return usage;
    }

    /** What pods on the node request, in thousandths per resource, whoever scheduled them. */
    public Map<String, Long> nodeUsageMilli(NodeView node) {
        TreeMap<String, Long> usage = new TreeMap<>();
        for (PodView pod : pods.values()) {
            if (pod.holdsRoom() && pod.where().equals(node.where())) {
                pod.requestsMilli().forEach((resource, milli) -> usage.merge(resource, milli, Long::sum));
            }
        }
        return usage;
    }

    /** What the scheduler says of workloads that wait, by id. */
    public Collection<StatusView> statuses() {
        return statuses.values();
    }
}
