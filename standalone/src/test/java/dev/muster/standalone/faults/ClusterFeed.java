package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.VirtualCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a cluster's watches tell: every change of each kind in order, and the objects in the form that clients read. */
final class ClusterFeed {
    /** One change; the object is not to be changed. */
    record Told(String type, HasMetadata object, long version) {}

    private final VirtualCluster cluster;
    private final KubernetesSerialization json;
    private final Map<ResourceKind, Class<? extends HasMetadata>> types = new HashMap<>();
    private final Map<ResourceKind, List<Told>> history = new HashMap<>();
    private final Map<ResourceKind, Long> compacted = new HashMap<>();
    private final Map<ResourceKind, List<Consumer<Told>>> listeners = new HashMap<>();
    private final Map<String, HasMetadata> read = new HashMap<>();

    ClusterFeed(VirtualCluster cluster, KubernetesSerialization json) {
        this.cluster = cluster;
        this.json = json;
        cluster.store().subscribe(this::changed);
    }

    VirtualCluster cluster() {
        return cluster;
    }

    /** Follows a kind whose objects are read as that class. */
    void follow(ResourceKind kind, Class<? extends HasMetadata> type) {
        types.putIfAbsent(kind, type);
    }

    private void changed(ObjectStore.Event event) {
        if (types.containsKey(event.kind())) {
            Told told = new Told(event.type(), typed(event.kind(), event.object()), versionOf(event.object()));
            history.computeIfAbsent(event.kind(), none -> new ArrayList<>()).add(told);
            List.copyOf(listeners.getOrDefault(event.kind(), List.of())).forEach(each -> each.accept(told));
        }
    }

    private HasMetadata typed(ResourceKind kind, JsonNode object) {
        // One version of one object reads the same for everybody.
        String key = kind.kind() + object.path("metadata").path("uid").asText() + versionOf(object);
        return read.computeIfAbsent(key, none -> json.unmarshal(object.toString(), types.get(kind)));
    }

    private static long versionOf(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asLong();
    }

    List<HasMetadata> list(ResourceKind kind) {
        List<HasMetadata> objects = new ArrayList<>();
        cluster.store().list(kind).forEach(object -> objects.add(typed(kind, object)));
        return objects;
    }

    /** Changes after a version. */
    List<Told> after(ResourceKind kind, long version) {
        List<Told> all = history.getOrDefault(kind, List.of());
        int from = all.size();
        while (from > 0 && all.get(from - 1).version() > version) {
            from--;
        }
        return List.copyOf(all.subList(from, all.size()));
    }

    void subscribe(ResourceKind kind, Consumer<Told> listener) {
        listeners.computeIfAbsent(kind, none -> new ArrayList<>()).add(listener);
    }

    void unsubscribe(ResourceKind kind, Consumer<Told> listener) {
        listeners.getOrDefault(kind, new ArrayList<>()).remove(listener);
    }

    /** Watches that start before now are too late from now on. */
    void compact(ResourceKind kind) {
        compacted.put(kind, cluster.store().resourceVersion());
    }

    boolean tooOld(ResourceKind kind, long version) {
        return version < compacted.getOrDefault(kind, 0L);
    }
}
