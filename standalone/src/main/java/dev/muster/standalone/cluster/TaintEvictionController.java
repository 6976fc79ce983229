package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes pods that do not tolerate the NoExecute taints of their node, or not any longer ({@code
 * pkg/controller/tainteviction}). A pod's time runs from the moment its node has such taints, and is over when the node
 * has none any more. Its keys are nodes.
 */
final class TaintEvictionController implements Controller {

    /** A pod that tolerates its node's taints for a time only. */
    private record Watched(String uid, long sinceMillis) {}

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final NodePods pods;
    private final Timeline timeline;
    private final Map<String, Map<ObjectKey, Watched>> byNode = new HashMap<>();

    TaintEvictionController(VersionedStore store, ObjectWriter writer, NodePods pods, Timeline timeline) {
        this.store = store;
        this.writer = writer;
        this.pods = pods;
        this.timeline = timeline;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.NODES)) {
            boolean taints = Taints.forcing(change.object()).isEmpty();
            boolean before = change.before() == null
                    || Taints.forcing(change.before().json()).isEmpty();
            return taints && before ? List.of() : List.of(change.key());
        }
        String node = change.kind().equals(ResourceKinds.PODS) ? NodePods.nodeOf(change.object()) : "";
        if (node.isEmpty()) {
            return List.of();
        }
        ObjectKey key = new ObjectKey("", node);
        StoredObject there = store.get(ResourceKinds.NODES, key);
        return there == null || Taints.forcing(there.json()).isEmpty() ? List.of() : List.of(key);
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        StoredObject node = store.get(ResourceKinds.NODES, key);
        List<JsonNode> taints = node == null ? List.of() : Taints.forcing(node.json());
        if (taints.isEmpty()) {
            byNode.remove(key.name());
            return Optional.empty();
        }
        Map<ObjectKey, Watched> before = byNode.getOrDefault(key.name(), Map.of());
        Map<ObjectKey, Watched> now = new HashMap<>();
        long next = Long.MAX_VALUE;
        for (StoredObject pod : pods.on(key.name())) {
            Optional<Long> tolerated = Taints.toleratedMillis(taints, pod.json());
            if (pod.deleting() || tolerated.isEmpty()) {
                continue;
            }
            Watched known = before.get(pod.key());
            Watched watched = known != null && known.uid().equals(pod.uid())
                    ? known
                    : new Watched(pod.uid(), timeline.elapsedMillis());
            long left = watched.sinceMillis() + tolerated.get() - timeline.elapsedMillis();
            if (left <= 0) {
                evict(pod);
            } else {
                now.put(pod.key(), watched);
                next = Math.min(next, left);
            }
        }
        byNode.put(key.name(), now);
        return next == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofMillis(next));
    }

    private void evict(StoredObject pod) {
        writer.edit(
                ResourceKinds.PODS,
                pod.key(),
                before -> PodStatuses.disrupted(before, "DeletionByTaintManager", writer.now()));
        writer.delete(ResourceKinds.PODS, pod.key(), DeleteOptions.DEFAULT.withUid(pod.uid()));
    }
}
