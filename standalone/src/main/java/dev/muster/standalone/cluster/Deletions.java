package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** What a deletion does: removes at once, or marks where a grace period or finalizers keep the object. */
final class Deletions {

    /** What became of a deletion: the last version seen, and whether the object is gone or only marked. */
    record Deletion(StoredObject object, boolean gone) {}

    private static final long DEFAULT_GRACE_SECONDS = 30;

    private final VersionedStore store;
    private final InstantSource clock;

    Deletions(VersionedStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Deletes an object whose preconditions hold. Called under the store's lock. */
    Deletion delete(ResourceKind kind, ObjectKey key, StoredObject before, DeleteOptions options) {
        return kind.equals(ResourceKinds.NAMESPACES)
                ? terminate(key, before)
                : mark(kind, key, before, options, graceSeconds(kind, before, options));
    }

    private Deletion mark(
            ResourceKind kind, ObjectKey key, StoredObject before, DeleteOptions options, long graceSeconds) {
        ObjectNode marked = before.json().deepCopy();
        ObjectNode metadata = (ObjectNode) marked.get("metadata");
        addPropagationFinalizer(metadata, options.propagation());
        if (graceSeconds == 0 && metadata.path("finalizers").isEmpty()) {
            return new Deletion(store.remove(kind, key), true);
        }
        long previous = metadata.path("deletionGracePeriodSeconds").asLong(Long.MAX_VALUE);
        if (before.deleting() && graceSeconds >= previous) {
            return new Deletion(before, false);
        }
        metadata.put("deletionTimestamp", after(graceSeconds));
        metadata.put("deletionGracePeriodSeconds", graceSeconds);
        return new Deletion(store.put(kind, key, marked), false);
    }

    private Deletion terminate(ObjectKey key, StoredObject before) {
        if (before.deleting()) {
            return new Deletion(before, false);
        }
        ObjectNode marked = before.json().deepCopy();
        ((ObjectNode) marked.get("metadata")).put("deletionTimestamp", after(0));
        Json.child(marked, "status").put("phase", "Terminating");
        return new Deletion(store.put(ResourceKinds.NAMESPACES, key, marked), false);
    }

    /** Only pods have grace; none where no kubelet runs them (any more), as the pod strategy decides it. */
    private static long graceSeconds(ResourceKind kind, StoredObject before, DeleteOptions options) {
        if (!kind.equals(ResourceKinds.PODS)) {
            return 0;
        }
        JsonNode pod = before.json();
        String phase = Json.text(pod, "status", "phase");
        if (Json.text(pod, "spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return 0;
        }
        long asked = options.graceSeconds()
                .orElseGet(() ->
                        Json.at(pod, "spec", "terminationGracePeriodSeconds").asLong(DEFAULT_GRACE_SECONDS));
        return Math.max(asked, 0);
    }

    private static void addPropagationFinalizer(ObjectNode metadata, String propagation) {
        String finalizer = switch (propagation) {
            case "Orphan" -> "orphan";
            case "Foreground" -> "foregroundDeletion";
            default -> "";
        };
        if (finalizer.isEmpty() || metadata.has("deletionTimestamp")) {
            return;
        }
        ArrayNode list =
                metadata.get("finalizers") instanceof ArrayNode there ? there : metadata.putArray("finalizers");
        list.add(finalizer);
    }

    /** That many seconds from now, as metadata carries times: whole seconds. */
    private String after(long seconds) {
        return clock.instant()
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(seconds)
                .toString();
    }
}
