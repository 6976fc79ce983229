package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Makes the claims of generic ephemeral volumes, each owned by its pod, with which it goes. */
final class EphemeralVolumeController implements Controller {

    private final VersionedStore store;
    private final ObjectWriter writer;

    EphemeralVolumeController(VersionedStore store, ObjectWriter writer) {
        this.store = store;
        this.writer = writer;
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        if (change.kind().equals(ResourceKinds.PODS) && change.type() == Change.Type.ADDED) {
            return List.of(change.key());
        }
        // The claim of an earlier pod of that name is gone: its successor may have one now.
        ObjectKey owner = change.kind().equals(ResourceKinds.CLAIMS) && change.type() == Change.Type.DELETED
                ? PodTemplates.ownerKey(change, ResourceKinds.PODS)
                : null;
        return owner == null ? List.of() : List.of(owner);
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        StoredObject pod = store.get(ResourceKinds.PODS, key);
        if (pod == null || pod.deleting()) {
            return Optional.empty();
        }
        for (JsonNode volume : Json.at(pod.json(), "spec", "volumes")) {
            JsonNode template = Json.at(volume, "ephemeral", "volumeClaimTemplate");
            String name = PodClaims.ephemeral(pod.json(), volume);
            if (template.isObject() && store.get(ResourceKinds.CLAIMS, new ObjectKey(key.namespace(), name)) == null) {
                writer.create(ResourceKinds.CLAIMS, key.namespace(), claim(pod, template, name), true);
            }
        }
        return Optional.empty();
    }

    private static ObjectNode claim(StoredObject pod, JsonNode template, String name) {
        ObjectNode claim = Json.object();
        ObjectNode metadata = claim.putObject("metadata");
        metadata.put("name", name);
        metadata.set("labels", PodTemplates.copy(Json.at(template, "metadata", "labels")));
        metadata.set("annotations", PodTemplates.copy(Json.at(template, "metadata", "annotations")));
        PodTemplates.own(metadata, pod);
        claim.set("spec", PodTemplates.copy(template.path("spec")));
        return claim;
    }
}
