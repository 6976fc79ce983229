package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which pods are bound to which node, kept up with every change under the store's lock. */
final class NodePods {

    private final VersionedStore store;
    private final Map<String, TreeMap<ObjectKey, StoredObject>> byNode = new HashMap<>();

    NodePods(VersionedStore store) {
        this.store = store;
        store.subscribe(this::observe);
    }

    private void observe(Change change) {
        if (!change.kind().equals(ResourceKinds.PODS)) {
            return;
        }
        String before = change.before() == null ? "" : nodeOf(change.before().json());
        String now = change.type() == Change.Type.DELETED ? "" : nodeOf(change.object());
        if (!before.isEmpty() && !before.equals(now)) {
            TreeMap<ObjectKey, StoredObject> there = byNode.get(before);
            there.remove(change.key());
            if (there.isEmpty()) {
                byNode.remove(before);
            }
        }
        if (!now.isEmpty()) {
            byNode.computeIfAbsent(now, unused -> new TreeMap<>()).put(change.key(), change.after());
        }
    }

    /** The pods bound to a node, by key. */
    List<StoredObject> on(String node) {
        return store.locked(
                () -> new ArrayList<>(byNode.getOrDefault(node, new TreeMap<>()).values()));
    }

    static String nodeOf(JsonNode pod) {
        return Json.text(pod, "spec", "nodeName");
    }
}
