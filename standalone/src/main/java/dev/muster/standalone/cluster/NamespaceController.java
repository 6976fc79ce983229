package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Empties a namespace that is being deleted, and removes it when nothing is left in it. */
final class NamespaceController implements Controller {

    private final ResourceKinds kinds;
    private final VersionedStore store;
    private final ObjectWriter writer;

    NamespaceController(ResourceKinds kinds, VersionedStore store, ObjectWriter writer) {
        this.kinds = kinds;
        this.store = store;
        this.writer = writer;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.NAMESPACES)) {
            return change.type() != Change.Type.DELETED && change.after().deleting()
                    ? List.of(change.key())
                    : List.of();
        }
        if (change.type() != Change.Type.DELETED || !change.kind().namespaced()) {
            return List.of();
        }
        ObjectKey key = new ObjectKey("", change.key().namespace());
        StoredObject namespace = store.get(ResourceKinds.NAMESPACES, key);
        return namespace != null && namespace.deleting() ? List.of(key) : List.of();
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        StoredObject namespace = store.get(ResourceKinds.NAMESPACES, key);
        if (namespace == null || !namespace.deleting()) {
            return Optional.empty();
        }
        boolean empty = true;
        for (ResourceKind kind : kinds.served()) {
            if (!kind.namespaced()) {
                continue;
            }
            for (StoredObject object : store.list(kind, key.name()).objects()) {
                empty &= object.deleting()
                        ? false
                        : writer.delete(kind, object.key(), DeleteOptions.DEFAULT)
                                .gone();
            }
        }
        if (empty) {
            store.remove(ResourceKinds.NAMESPACES, key);
        }
        return Optional.empty();
    }
}
