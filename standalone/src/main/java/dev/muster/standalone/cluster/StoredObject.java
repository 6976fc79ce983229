package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** One version of an object. Its tree is shared by everybody who reads it and must never be changed. */
final class StoredObject {

    private final ResourceKind kind;
    private final ObjectKey key;
    private final ObjectNode json;
    private final long resourceVersion;
    private volatile byte[] bytes;

    StoredObject(ResourceKind kind, ObjectKey key, ObjectNode json, long resourceVersion) {
        this.kind = kind;
        this.key = key;
        this.json = json;
        this.resourceVersion = resourceVersion;
    }

    ResourceKind kind() {
        return kind;
    }

    ObjectKey key() {
        return key;
    }

    ObjectNode json() {
        return json;
    }

    long resourceVersion() {
        return resourceVersion;
    }

    String uid() {
        return Json.text(json, "metadata", "uid");
    }

    boolean deleting() {
        return json.path("metadata").has("deletionTimestamp");
    }

    /** The serialised form, made once whoever asks first: a race makes equal bytes twice, which harms nobody. */
    byte[] bytes() {
        byte[] made = bytes;
        if (made == null) {
            made = Json.bytes(json);
            bytes = made;
        }
        return made;
    }
}
