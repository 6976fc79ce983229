package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which objects belong to which owner, kept up with every change under the store's lock. */
final class OwnerIndex {

    private final VersionedStore store;
    private final Map<String, Map<String, StoredObject>> dependents = new HashMap<>();
    private final Set<String> alive = new HashSet<>();

    OwnerIndex(VersionedStore store) {
        this.store = store;
        store.subscribe(this::observe);
    }

    private void observe(Change change) {
        if (change.before() != null) {
            for (String owner : owners(change.before().json())) {
                Map<String, StoredObject> owned = dependents.get(owner);
                owned.remove(idOf(change.before()));
                if (owned.isEmpty()) {
                    dependents.remove(owner);
                }
            }
        }
        if (change.type() == Change.Type.DELETED) {
            alive.remove(change.after().uid());
            return;
        }
        alive.add(change.after().uid());
        for (String owner : owners(change.after().json())) {
            dependents.computeIfAbsent(owner, unused -> new TreeMap<>()).put(idOf(change.after()), change.after());
        }
    }

    /** Objects that name this uid as an owner, in a fixed order. */
    List<StoredObject> ownedBy(String uid) {
        return store.locked(
                () -> new ArrayList<>(dependents.getOrDefault(uid, Map.of()).values()));
    }

    List<StoredObject> ownedBy(String uid, ResourceKind kind) {
        return ownedBy(uid).stream()
                .filter(object -> object.kind().equals(kind))
                .toList();
    }

    boolean alive(String uid) {
        return store.locked(() -> alive.contains(uid));
    }

    static List<String> owners(JsonNode object) {
        List<String> uids = new ArrayList<>();
        for (JsonNode reference : Json.at(object, "metadata", "ownerReferences")) {
            uids.add(reference.path("uid").asText());
        }
        return uids;
    }

    private static String idOf(StoredObject object) {
        return object.kind().resource() + "/" + object.key();
    }
}
