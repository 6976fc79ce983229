package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deletes what lost its owner, and carries out the propagation policies Foreground and Orphan. Its keys are owners'
 * uids.
 */
final class GarbageCollector implements Controller {

    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private final ObjectWriter writer;
    private final OwnerIndex index;
    private final Map<String, StoredObject> deletingOwners = new ConcurrentHashMap<>();

    GarbageCollector(ObjectWriter writer, OwnerIndex index) {
        this.writer = writer;
        this.index = index;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        List<ObjectKey> keys = new ArrayList<>();
        List<String> finalizers = ObjectWriter.finalizers(change.object());
        String uid = change.after().uid();
        if (change.type() == Change.Type.DELETED) {
            deletingOwners.remove(uid);
            keys.add(new ObjectKey("", uid));
        } else if (change.after().deleting() && (finalizers.contains(FOREGROUND) || finalizers.contains(ORPHAN))) {
            deletingOwners.put(uid, change.after());
            keys.add(new ObjectKey("", uid));
        }
        OwnerIndex.owners(change.object()).forEach(owner -> {
            boolean ofInterest = change.type() == Change.Type.ADDED || deletingOwners.containsKey(owner);
            if (ofInterest && (!index.alive(owner) || deletingOwners.containsKey(owner))) {
                keys.add(new ObjectKey("", owner));
            }
        });
        return keys;
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        String owner = key.name();
        StoredObject deleting = deletingOwners.get(owner);
        if (deleting != null && ObjectWriter.finalizers(deleting.json()).contains(ORPHAN)) {
            index.ownedBy(owner).forEach(dependent -> disown(dependent, owner));
            removeFinalizer(deleting, ORPHAN);
        } else if (deleting != null) {
            index.ownedBy(owner).forEach(dependent -> delete(dependent, owner));
            if (index.ownedBy(owner).isEmpty()) {
                removeFinalizer(deleting, FOREGROUND);
            }
        } else if (!index.alive(owner)) {
            index.ownedBy(owner).forEach(dependent -> delete(dependent, owner));
        }
        return Optional.empty();
    }

    private void delete(StoredObject dependent, String lost) {
        boolean otherOwner = OwnerIndex.owners(dependent.json()).stream()
                .anyMatch(uid -> !uid.equals(lost) && index.alive(uid) && !deletingOwners.containsKey(uid));
        if (otherOwner) {
            disown(dependent, lost);
        } else if (!dependent.deleting()) {
            ignoringAbsence(() ->
                    writer.delete(dependent.kind(), dependent.key(), DeleteOptions.DEFAULT.withUid(dependent.uid())));
        }
    }

    private void disown(StoredObject dependent, String owner) {
        ignoringAbsence(() -> writer.edit(dependent.kind(), dependent.key(), before -> {
            ObjectNode after = Json.thaw(before);
            ArrayNode kept = Json.array();
            for (JsonNode reference : Json.at(before, "metadata", "ownerReferences")) {
                if (!reference.path("uid").asText().equals(owner)) {
                    kept.add(reference);
                }
            }
            ((ObjectNode) after.get("metadata")).set("ownerReferences", kept);
            return after;
        }));
    }

    private void removeFinalizer(StoredObject object, String finalizer) {
        ignoringAbsence(() -> writer.edit(object.kind(), object.key(), before -> {
            ObjectNode after = Json.thaw(before);
            ArrayNode kept = Json.array();
            ObjectWriter.finalizers(before).stream()
                    .filter(each -> !each.equals(finalizer))
                    .forEach(kept::add);
            ((ObjectNode) after.get("metadata")).set("finalizers", kept);
            return after;
        }));
    }

    private static void ignoringAbsence(Runnable work) {
        try {
            work.run();
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }
}
