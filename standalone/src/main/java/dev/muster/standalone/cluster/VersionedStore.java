package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What etcd and the watch cache are to a real API server: objects by kind and key, one resource version counter, and
 * per kind a ring of the last changes. It knows nothing of what objects mean. One lock guards all of it; what is done
 * under it is short, and serialising is not done under it.
 */
final class VersionedStore {

    /** What a list returns: objects in key order and the resource version at which exactly these were there. */
    record Snapshot(List<StoredObject> objects, long resourceVersion) {}

    /** What a watch reads: changes after its cursor, and the version up to which it has then seen everything. */
    record Batch(List<Change> changes, long resourceVersion) {}

    private static final class Shelf {
        final TreeMap<ObjectKey, StoredObject> objects = new TreeMap<>();
        final ChangeRing ring;
        final Condition changed;

        Shelf(int historySize, Condition changed) {
            this.ring = new ChangeRing(historySize);
            this.changed = changed;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ResourceKind, Shelf> shelves = new LinkedHashMap<>();
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    private long version;

    VersionedStore(Collection<ResourceKind> kinds, int historySize) {
        kinds.forEach(kind -> shelves.put(kind, new Shelf(historySize, lock.newCondition())));
    }

    /** Runs something that reads and writes as one step. Nests. */
    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a listener that is called with every change, in order, under the lock: it must only take note. */
    void subscribe(Consumer<Change> listener) {
        listeners.add(listener);
    }

    long resourceVersion() {
        return locked(() -> version);
    }

    StoredObject get(ResourceKind kind, ObjectKey key) {
        return locked(() -> shelf(kind).objects.get(key));
    }

    /** Objects of a kind, of one namespace where it is not empty. */
    Snapshot list(ResourceKind kind, String namespace) {
        return locked(() -> {
            TreeMap<ObjectKey, StoredObject> objects = shelf(kind).objects;
            Collection<StoredObject> wanted = namespace.isEmpty()
                    ? objects.values()
                    : objects.subMap(new ObjectKey(namespace, ""), new ObjectKey(namespace + "\0", ""))
                            .values();
            return new Snapshot(new ArrayList<>(wanted), version);
        });
    }

    /** Stores a new version; its root and metadata become the store's, and get the new resource version. */
    StoredObject put(ResourceKind kind, ObjectKey key, ObjectNode json) {
        return locked(() -> {
            Shelf shelf = shelf(kind);
            StoredObject after = stamp(kind, key, json);
            StoredObject before = shelf.objects.put(key, after);
            commit(shelf, new Change(before == null ? Change.Type.ADDED : Change.Type.MODIFIED, before, after));
            return after;
        });
    }

    /** Removes an object. The last version that watches see carries the resource version of the removal. */
    StoredObject remove(ResourceKind kind, ObjectKey key) {
        return locked(() -> {
            Shelf shelf = shelf(kind);
            StoredObject before = shelf.objects.remove(key);
            StoredObject after = stamp(kind, key, Json.thaw(before.json()));
            commit(shelf, new Change(Change.Type.DELETED, before, after));
            return after;
        });
    }

    /**
     * Changes after a version; waits for one up to the given time.
     *
     * @throws ApiException 410 where changes after that version are no longer kept
     */
    Batch read(ResourceKind kind, long after, int limit, long waitMillis) throws InterruptedException {
        lock.lock();
        try {
            Shelf shelf = shelf(kind);
            requireKept(kind, after);
            List<Change> changes = shelf.ring.after(after, limit);
            if (changes.isEmpty() && waitMillis > 0) {
                shelf.changed.await(waitMillis, TimeUnit.MILLISECONDS);
                requireKept(kind, after);
                changes = shelf.ring.after(after, limit);
            }
            long seen = changes.size() < limit ? version : changes.getLast().resourceVersion();
            return new Batch(changes, Math.max(seen, after));
        } finally {
            lock.unlock();
        }
    }

    void requireKept(ResourceKind kind, long after) {
        locked(() -> {
            if (shelf(kind).ring.tooOld(after)) {
                throw ApiException.expired("too old resource version: " + after + " (" + version + ")");
            }
            return null;
        });
    }

    /** Forgets the history of a kind, as compaction or a restart of the watch cache does. */
    void compact(ResourceKind kind) {
        locked(() -> {
            shelf(kind).ring.forget(++version);
            return null;
        });
    }

    /** Wakes every watch, so that it looks at whether it should still be there. */
    void wakeAll() {
        locked(() -> {
            shelves.values().forEach(shelf -> shelf.changed.signalAll());
            return null;
        });
    }

    private StoredObject stamp(ResourceKind kind, ObjectKey key, ObjectNode json) {
        version++;
        ((ObjectNode) json.get("metadata")).put("resourceVersion", Long.toString(version));
        return new StoredObject(kind, key, json, version);
    }

    private void commit(Shelf shelf, Change change) {
        shelf.ring.append(change);
        listeners.forEach(listener -> listener.accept(change));
        shelf.changed.signalAll();
    }

    private Shelf shelf(ResourceKind kind) {
        Shelf shelf = shelves.get(kind);
        if (shelf == null) {
            throw ApiException.unknownPath();
        }
        return shelf;
    }
}
