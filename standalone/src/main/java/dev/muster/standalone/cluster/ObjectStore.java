package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The cluster's objects, for callers in the same process: what the HTTP side does, without HTTP and with the rights to
 * give a status. Trees that are handed out are shared and must not be changed. Throws {@link ApiException} as the HTTP
 * side would answer.
 */
public final class ObjectStore {

    /** Is told of changes, in order, under the store's lock: it must only take note. */
    @FunctionalInterface
    public interface Listener {
        /** The type is ADDED, MODIFIED or DELETED. */
        void changed(String type, JsonNode object);
    }

    /**
     * One change, as a watch of everything would tell it.
     *
     * @param type ADDED, MODIFIED or DELETED
     * @param object what was written; of a deletion the last state, with the deletion's resource version
     * @param before what was there before; null for an addition
     */
    public record Event(ResourceKind kind, String type, JsonNode object, JsonNode before) {}

    private final ResourceKinds kinds;
    private final VersionedStore store;
    private final ObjectWriter writer;

    ObjectStore(ResourceKinds kinds, VersionedStore store, ObjectWriter writer) {
        this.kinds = kinds;
        this.store = store;
        this.writer = writer;
    }

    /** Creates an object; its status is kept. */
    public JsonNode create(JsonNode object) {
        ResourceKind kind = kindOf(object);
        ObjectNode body = object.deepCopy();
        return writer.create(kind, namespaceOf(kind, object), body, true).json();
    }

    /** Creates an object, or replaces the one of that name, status included where one is given. */
    public JsonNode apply(JsonNode object) {
        ResourceKind kind = kindOf(object);
        ObjectKey key = new ObjectKey(namespaceOf(kind, object), Json.text(object, "metadata", "name"));
        return store.locked(() -> store.get(kind, key) == null
                ? create(object)
                : writer.edit(kind, key, before -> replacement(before, object.deepCopy()))
                        .json());
    }

    /** Applies a fabric8 object. */
    public JsonNode apply(HasMetadata object) {
        try {
            return apply(Json.parse(Serialization.asJson(object).getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalArgumentException("not writable as JSON: " + object.getKind(), e);
        }
    }

    /** Applies every document of a YAML stream, in order. */
    public List<JsonNode> applyYaml(String stream) {
        List<JsonNode> applied = new ArrayList<>();
        Json.parseYamlStream(stream).forEach(document -> applied.add(apply(document)));
        return applied;
    }

    private static ObjectNode replacement(ObjectNode before, ObjectNode object) {
        ObjectNode after = Json.thaw(before);
        ObjectNode metadata = (ObjectNode) after.get("metadata");
        for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
            Json.copyField((ObjectNode) object.get("metadata"), metadata, field);
        }
        object.remove("metadata");
        after.setAll(object);
        return after;
    }

    public Optional<JsonNode> get(ResourceKind kind, String namespace, String name) {
        return Optional.ofNullable(store.get(kind, new ObjectKey(namespace, name)))
                .map(StoredObject::json);
    }

    /** All objects of a kind, by namespace and name. */
    public List<JsonNode> list(ResourceKind kind) {
        return list(kind, "");
    }

    /** Objects of a kind in a namespace, or in all where it is empty, by namespace and name. */
    public List<JsonNode> list(ResourceKind kind, String namespace) {
        List<JsonNode> found = new ArrayList<>();
        store.list(kind, namespace).objects().forEach(object -> found.add(object.json()));
        return found;
    }

    /** Changes any field of an object as one step; the change gets a copy it may do with as it likes. */
    public JsonNode edit(ResourceKind kind, String namespace, String name, Consumer<ObjectNode> change) {
        return writer.edit(kind, new ObjectKey(namespace, name), before -> {
                    ObjectNode copy = before.deepCopy();
                    change.accept(copy);
                    return copy;
                })
                .json();
    }

    /** Deletes as a client would. True where the object is gone, false where it is only marked. */
    public boolean delete(ResourceKind kind, String namespace, String name, DeleteOptions options) {
        return writer.delete(kind, new ObjectKey(namespace, name), options).gone();
    }

    /** Follows the changes of a kind from now on. */
    public void subscribe(ResourceKind kind, Listener listener) {
        store.subscribe(change -> {
            if (change.kind().equals(kind)) {
                listener.changed(change.type().name(), change.object());
            }
        });
    }

    /** Follows the changes of all kinds from now on, in the order of their versions. */
    public void subscribe(Consumer<Event> listener) {
        store.subscribe(change -> listener.accept(new Event(
                change.kind(),
                change.type().name(),
                change.object(),
                change.before() == null ? null : change.before().json())));
    }

    /** The kinds that are served. */
    public List<ResourceKind> kinds() {
        return List.copyOf(kinds.served());
    }

    /** The version of the last change. */
    public long resourceVersion() {
        return store.resourceVersion();
    }

    private ResourceKind kindOf(JsonNode object) {
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        return kinds.byManifest(apiVersion, kind)
                .orElseThrow(() -> ApiException.badRequest(
                        "no matches for kind \"" + kind + "\" in version \"" + apiVersion + "\""));
    }

    private static String namespaceOf(ResourceKind kind, JsonNode object) {
        String namespace = Json.text(object, "metadata", "namespace");
        return !kind.namespaced() ? "" : namespace.isEmpty() ? "default" : namespace;
    }
}
