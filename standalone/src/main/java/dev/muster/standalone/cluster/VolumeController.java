package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Binds claims and volumes as kube-controller-manager's persistent volume controller does, where a volume names a claim, and
 * has the {@link Provisioner} make volumes where a claim has its node. Claims of classes that bind at once are left to whoever
 * writes them down: no volume is looked for or made for those. Its keys are claims.
 */
final class VolumeController implements Controller {

    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final Timeline timeline;
    private final Provisioner provisioner;
    /** When what is being made is there, by claim's uid and node. */
    private final Map<String, Long> dueMillis = new HashMap<>();

    VolumeController(VersionedStore store, ObjectWriter writer, Timeline timeline) {
        this.store = store;
        this.writer = writer;
        this.timeline = timeline;
        this.provisioner = new Provisioner(store, writer);
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.CLAIMS)) {
            return List.of(change.key());
        }
        JsonNode claim = change.kind().equals(ResourceKinds.VOLUMES)
                ? Json.at(change.object(), "spec", "claimRef")
                : Json.object();
        return claim.isEmpty()
                ? List.of()
                : List.of(new ObjectKey(Json.text(claim, "namespace"), Json.text(claim, "name")));
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        return store.locked(() -> {
            StoredObject claim = store.get(ResourceKinds.CLAIMS, key);
            List<StoredObject> naming = store.list(ResourceKinds.VOLUMES, "").objects().stream()
                    .filter(volume -> names(volume, key))
                    .toList();
            naming.forEach(volume -> release(volume, claim));
            if (claim == null || claim.deleting() || PodClaims.isBound(claim.json())) {
                return Optional.empty();
            }
            Optional<StoredObject> its =
                    naming.stream().filter(volume -> isOf(volume, claim)).findFirst();
            if (its.isPresent()) {
                bind(its.get(), claim);
                return Optional.empty();
            }
            return provision(claim);
        });
    }

    private static boolean names(StoredObject volume, ObjectKey claim) {
        JsonNode reference = Json.at(volume.json(), "spec", "claimRef");
        return Json.text(reference, "name").equals(claim.name())
                && Json.text(reference, "namespace").equals(claim.namespace());
    }

    private static String claimUid(StoredObject volume) {
        return Json.text(volume.json(), "spec", "claimRef", "uid");
    }

    /** A claim is named with its uid, or, by a user who keeps a volume for it, without. */
    private static boolean isOf(StoredObject volume, StoredObject claim) {
        String uid = claimUid(volume);
        return uid.isEmpty() || uid.equals(claim.uid());
    }

    /** A volume whose claim is gone, or was bound to another one meanwhile. */
    private void release(StoredObject volume, StoredObject claim) {
        String uid = claimUid(volume);
        boolean gone = !uid.isEmpty() && (claim == null || !claim.uid().equals(uid));
        if (gone && provisioner.made(volume)) {
            writer.delete(ResourceKinds.VOLUMES, volume.key(), DeleteOptions.NOW.withUid(volume.uid()));
        } else if (gone) {
            edit(volume, after -> Json.thawChild(after, "status").put("phase", "Released"));
        } else if (claim != null
                && PodClaims.isBound(claim.json())
                && !Json.text(claim.json(), "spec", "volumeName")
                        .equals(volume.key().name())
                && !Json.annotation(volume.json(), BOUND_BY_CONTROLLER).isEmpty()) {
            edit(volume, after -> {
                Json.thawChild(after, "spec").remove("claimRef");
                Json.thawChild((ObjectNode) after.get("metadata"), "annotations")
                        .remove(BOUND_BY_CONTROLLER);
                Json.thawChild(after, "status").put("phase", "Available");
            });
        }
    }

    private void bind(StoredObject volume, StoredObject claim) {
        edit(volume, after -> {
            ObjectNode reference = Json.thawChild(Json.thawChild(after, "spec"), "claimRef");
            reference
                    .put("apiVersion", "v1")
                    .put("kind", "PersistentVolumeClaim")
                    .put("uid", claim.uid());
            Json.thawChild(after, "status").put("phase", "Bound");
        });
        edit(claim, after -> {
            Json.thawChild(after, "spec").put("volumeName", volume.key().name());
            Json.thawChild((ObjectNode) after.get("metadata"), "annotations")
                    .put(BIND_COMPLETED, "yes")
                    .put(BOUND_BY_CONTROLLER, "yes");
            ObjectNode status = Json.thawChild(after, "status");
            status.put("phase", "Bound");
            Json.copyField((ObjectNode) volume.json().get("spec"), status, "accessModes");
            Json.copyField((ObjectNode) volume.json().get("spec"), status, "capacity");
        });
    }

    private Optional<Duration> provision(StoredObject claim) {
        String node = Json.annotation(claim.json(), SELECTED_NODE);
        if (node.isEmpty() || !provisioner.provisions(claim)) {
            return Optional.empty();
        }
        String work = claim.uid() + " " + node;
        Duration takes = provisioner.takes(claim);
        long due = dueMillis.computeIfAbsent(work, begun -> timeline.elapsedMillis() + takes.toMillis());
        if (due > timeline.elapsedMillis()) {
            return Optional.of(Duration.ofMillis(due - timeline.elapsedMillis()));
        }
        dueMillis.remove(work);
        if (!provisioner.make(claim, node)) {
            edit(
                    claim,
                    after -> Json.thawChild((ObjectNode) after.get("metadata"), "annotations")
                            .remove(SELECTED_NODE));
        }
        return Optional.empty();
    }

    private void edit(StoredObject object, Consumer<ObjectNode> change) {
        writer.edit(object.kind(), object.key(), before -> {
            ObjectNode after = Json.thaw(before);
            change.accept(after);
            return after;
        });
    }
}
