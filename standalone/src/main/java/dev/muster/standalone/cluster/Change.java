package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One committed change of the store, as the in-process feed and every watch see it.
 *
 * @param type what happened
 * @param before the version before, null for an addition
 * @param after the version that was written; for a deletion the last version, carrying the deletion's resource version
 */
record Change(Type type, StoredObject before, StoredObject after) {

    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    ResourceKind kind() {
        return after.kind();
    }

    ObjectKey key() {
        return after.key();
    }

    long resourceVersion() {
        return after.resourceVersion();
    }

    JsonNode object() {
        return after.json();
    }
}
