package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The claims of volumes that a pod uses, and whether a kubelet could mount what they stand for. */
final class PodClaims {

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    private PodClaims() {}

    /** Names of the claims, in the pod's namespace. A generic ephemeral volume is a claim named after pod and volume. */
    static List<String> of(JsonNode pod) {
        List<String> names = new ArrayList<>();
        for (JsonNode volume : Json.at(pod, "spec", "volumes")) {
            if (volume.path("ephemeral").isObject()) {
                names.add(ephemeral(pod, volume));
            } else if (volume.path("persistentVolumeClaim").isObject()) {
                names.add(Json.text(volume, "persistentVolumeClaim", "claimName"));
            }
        }
        return names;
    }

    /** The name of the claim that an ephemeral volume becomes. */
    static String ephemeral(JsonNode pod, JsonNode volume) {
        return Json.text(pod, "metadata", "name") + "-" + volume.path("name").asText();
    }

    /** Whether all of a pod's claims are bound to volumes that can be used on the node. */
    static boolean usable(VersionedStore store, StoredObject pod, StoredObject node) {
        return of(pod.json()).stream().allMatch(name -> {
            StoredObject claim =
                    store.get(ResourceKinds.CLAIMS, new ObjectKey(pod.key().namespace(), name));
            if (claim == null || !isBound(claim.json())) {
                return false;
            }
            StoredObject volume =
                    store.get(ResourceKinds.VOLUMES, new ObjectKey("", Json.text(claim.json(), "spec", "volumeName")));
            return volume != null
                    && NodeSelection.within(Json.at(volume.json(), "spec", "nodeAffinity", "required"), node.json());
        });
    }

    static boolean isBound(JsonNode claim) {
        boolean completed = Json.text(claim, "status", "phase").equals("Bound")
                || !Json.annotation(claim, BIND_COMPLETED).isEmpty();
        return completed && !Json.text(claim, "spec", "volumeName").isEmpty();
    }
}
