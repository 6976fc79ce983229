package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Creation, update, patch and deletion with the preconditions and side effects of a real API server. */
final class ObjectWriter {

    /** Which part of an object a write is about. */
    enum Part {
        MAIN,
        STATUS
    }

    private static final List<String> SERVER_METADATA = List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generation");
    private static final List<String> CLIENT_METADATA = List.of("labels", "annotations", "finalizers");
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;

    private final VersionedStore store;
    private final Admission admission;
    private final Deletions deletions;
    private final InstantSource clock;
    private final boolean createNamespaces;
    private final long uidHigh;
    private long created;

    /** A writer; {@code uidHigh} is the first half of all uids, which tells clusters apart. */
    ObjectWriter(VersionedStore store, InstantSource clock, boolean createNamespaces, long uidHigh) {
        this.store = store;
        this.uidHigh = uidHigh;
        this.admission = new Admission(store);
        this.deletions = new Deletions(store, clock);
        this.clock = clock;
        this.createNamespaces = createNamespaces;
    }

    /** Creates an object; trusted callers in this process may give a status and leave out what only HTTP must have. */
    StoredObject create(ResourceKind kind, String namespace, ObjectNode body, boolean trusted) {
        ObjectNode object = Json.inOrder(kind, body);
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        checkNamespace(kind, namespace, metadata);
        if (!trusted && !metadata.path("resourceVersion").asText("").isEmpty()) {
            throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
        }
        return store.locked(() -> {
            requireNamespace(kind, namespace);
            ObjectKey key = new ObjectKey(namespace, name(kind, metadata));
            if (!trusted) {
                Validation.onCreate(kind, object);
            }
            if (store.get(kind, key) != null) {
                throw ApiException.alreadyExists(kind, key.name());
            }
            metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "selfLink"));
            metadata.put("uid", new UUID(uidHigh, 0x8000_0000_0000_0000L | ++created).toString());
            metadata.put("creationTimestamp", now());
            admission.admit(kind, object, trusted);
            return store.put(kind, key, object);
        });
    }

    private static void checkNamespace(ResourceKind kind, String namespace, ObjectNode metadata) {
        String given = metadata.path("namespace").asText("");
        if (kind.namespaced()) {
            if (!given.isEmpty() && !given.equals(namespace)) {
                throw ApiException.badRequest(
                        "the namespace of the provided object does not match the namespace sent" + " on the request");
            }
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
    }

    private void requireNamespace(ResourceKind kind, String namespace) {
        if (!kind.namespaced()) {
            return;
        }
        StoredObject found = store.get(ResourceKinds.NAMESPACES, new ObjectKey("", namespace));
        if (found != null && found.deleting()) {
            throw new ApiException(
                    403,
                    "Forbidden",
                    "unable to create new content in namespace " + namespace + " because it is being terminated");
        }
        if (found == null && !createNamespaces) {
            throw ApiException.notFound(ResourceKinds.NAMESPACES, namespace);
        }
        if (found == null) {
            ObjectNode object = Json.object();
            object.putObject("metadata").put("name", namespace);
            create(ResourceKinds.NAMESPACES, "", object, true);
        }
    }

    private String name(ResourceKind kind, ObjectNode metadata) {
        String name = metadata.path("name").asText("");
        if (!name.isEmpty()) {
            return name;
        }
        String prefix = metadata.path("generateName").asText("");
        if (prefix.isEmpty()) {
            throw ApiException.invalid(kind, "", "metadata.name", "Required value: name or generateName is required");
        }
        StringBuilder generated = new StringBuilder(prefix);
        long mixed = (uidHigh ^ (created + 1)) * 0x9E37_79B9_7F4A_7C15L;
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            generated.append(SUFFIX_LETTERS.charAt((int) Long.remainderUnsigned(mixed, SUFFIX_LETTERS.length())));
            mixed = Long.divideUnsigned(mixed, SUFFIX_LETTERS.length());
        }
        metadata.put("name", generated.toString());
        return generated.toString();
    }

    /** Replaces an object, or its status. */
    StoredObject update(ResourceKind kind, ObjectKey key, ObjectNode body, Part part) {
        return store.locked(() -> write(kind, key, existing(kind, key), body, part));
    }

    /** Reads, changes a deep copy and writes as one step. */
    StoredObject patch(ResourceKind kind, ObjectKey key, Part part, UnaryOperator<ObjectNode> change) {
        return store.locked(() -> {
            StoredObject before = existing(kind, key);
            return write(kind, key, before, change.apply(before.json().deepCopy()), part);
        });
    }

    private StoredObject write(ResourceKind kind, ObjectKey key, StoredObject before, ObjectNode body, Part part) {
        ObjectNode metadata = Json.child(body, "metadata");
        if (!metadata.path("name").asText("").equals(key.name())) {
            throw ApiException.badRequest("the name of the object ("
                    + metadata.path("name").asText("") + ") does not match the name on the URL (" + key.name() + ")");
        }
        checkUid(kind, key, before, metadata.path("uid").asText(""));
        checkVersion(kind, key, before, metadata.path("resourceVersion").asText(""));
        ObjectNode after = part == Part.STATUS ? withStatus(kind, before, body) : withoutStatus(kind, before, body);
        if (part == Part.MAIN) {
            Validation.onUpdate(kind, key.name(), before.json(), after);
            checkFinalizers(kind, key, before, after);
        }
        return commit(kind, key, before, after);
    }

    /** Stores a new version where it differs, and lets go of an object whose deletion only waited for finalizers. */
    private StoredObject commit(ResourceKind kind, ObjectKey key, StoredObject before, ObjectNode after) {
        if (after.equals(before.json())) {
            return before;
        }
        ObjectNode metadata = (ObjectNode) after.get("metadata");
        if (kind.is(ResourceKind.Trait.GENERATION) && contentChanged(before.json(), after)) {
            metadata.put("generation", metadata.path("generation").asLong(1) + 1);
        }
        StoredObject written = store.put(kind, key, after);
        boolean released = metadata.has("deletionTimestamp")
                && metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0
                && !kind.equals(ResourceKinds.NAMESPACES);
        return released ? store.remove(kind, key) : written;
    }

    /** A change by the server's own parts, which may touch every field: from the stored tree to the one to store. */
    StoredObject edit(ResourceKind kind, ObjectKey key, UnaryOperator<ObjectNode> change) {
        return store.locked(() -> {
            StoredObject before = existing(kind, key);
            return commit(kind, key, before, change.apply(before.json()));
        });
    }

    private static void checkUid(ResourceKind kind, ObjectKey key, StoredObject before, String uid) {
        if (!uid.isEmpty() && !uid.equals(before.uid())) {
            throw ApiException.conflict(
                    kind,
                    key.name(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + before.uid());
        }
    }

    private static void checkVersion(ResourceKind kind, ObjectKey key, StoredObject before, String version) {
        if (version.isEmpty() || version.equals("0")) {
            if (kind.is(ResourceKind.Trait.VERSIONED_UPDATE)) {
                throw ApiException.invalid(
                        kind, key.name(), "metadata.resourceVersion", "Invalid value: must be specified for an update");
            }
        } else if (!version.equals(Long.toString(before.resourceVersion()))) {
            throw ApiException.modified(kind, key.name());
        }
    }

    private static void checkFinalizers(ResourceKind kind, ObjectKey key, StoredObject before, ObjectNode after) {
        if (!before.deleting()) {
            return;
        }
        List<String> old = finalizers(before.json());
        for (String finalizer : finalizers(after)) {
            if (!old.contains(finalizer)) {
                throw ApiException.invalid(
                        kind,
                        key.name(),
                        "metadata.finalizers",
                        "Forbidden: no new finalizers can be added if the object is being deleted, found new"
                                + " finalizers " + finalizer);
            }
        }
    }

    private static ObjectNode withoutStatus(ResourceKind kind, StoredObject before, ObjectNode body) {
        ObjectNode after = Json.inOrder(kind, body);
        ObjectNode metadata = (ObjectNode) after.get("metadata");
        ObjectNode old = (ObjectNode) before.json().get("metadata");
        SERVER_METADATA.forEach(field -> Json.copyField(old, metadata, field));
        metadata.put("resourceVersion", Long.toString(before.resourceVersion()));
        metadata.remove("managedFields");
        if (kind.hasStatus()) {
            Json.copyField(before.json(), after, "status");
        }
        return after;
    }

    /** Custom resources change nothing but status here; built-in kinds take labels and annotations along. */
    private static ObjectNode withStatus(ResourceKind kind, StoredObject before, ObjectNode body) {
        ObjectNode after = Json.thaw(before.json());
        Json.copyField(body, after, "status");
        if (!kind.is(ResourceKind.Trait.CUSTOM)) {
            ObjectNode metadata = (ObjectNode) after.get("metadata");
            ObjectNode given = (ObjectNode) body.get("metadata");
            CLIENT_METADATA.forEach(field -> Json.copyField(given, metadata, field));
        }
        return after;
    }

    private static boolean contentChanged(ObjectNode before, ObjectNode after) {
        return !without(before).equals(without(after));
    }

    private static ObjectNode without(ObjectNode object) {
        ObjectNode copy = Json.object();
        copy.setAll(object);
        copy.remove(List.of("metadata", "status"));
        return copy;
    }

    /** Deletes: at once, or by marking where a grace period or finalizers keep the object. */
    Deletions.Deletion delete(ResourceKind kind, ObjectKey key, DeleteOptions options) {
        return store.locked(() -> {
            StoredObject before = existing(kind, key);
            checkPreconditions(kind, key, before, options);
            return deletions.delete(kind, key, before, options);
        });
    }

    /** Refuses a deletion that means another object, or another version of it. */
    static void checkPreconditions(ResourceKind kind, ObjectKey key, StoredObject before, DeleteOptions options) {
        checkUid(kind, key, before, options.uid());
        if (!options.resourceVersion().isEmpty()
                && !options.resourceVersion().equals(Long.toString(before.resourceVersion()))) {
            throw ApiException.conflict(
                    kind,
                    key.name(),
                    "Precondition failed: ResourceVersion in precondition: " + options.resourceVersion()
                            + ", ResourceVersion in object meta: " + before.resourceVersion());
        }
    }

    static List<String> finalizers(JsonNode object) {
        List<String> found = new java.util.ArrayList<>();
        Json.at(object, "metadata", "finalizers").forEach(each -> found.add(each.asText()));
        return found;
    }

    private StoredObject existing(ResourceKind kind, ObjectKey key) {
        StoredObject found = store.get(kind, key);
        if (found == null) {
            throw ApiException.notFound(kind, key.name());
        }
        return found;
    }

    /** The time as metadata carries it: whole seconds. */
    String now() {
        Instant instant = clock.instant();
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
