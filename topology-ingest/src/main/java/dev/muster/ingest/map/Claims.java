package dev.muster.ingest.map;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import java.util.TreeSet;

/**
 * Claims of volumes that a pod uses, as namespace/name. A generic ephemeral volume is a claim named after the pod and the
 * volume.
 */
final class Claims {

    private static final String FIELD = "spec.volumes";

    private Claims() {}

    static List<String> of(PodSpec spec, PodMeta meta, Problems problems) {
        List<Volume> volumes = spec.getVolumes();
        if (volumes == null || !problems.within(FIELD, volumes.size(), Limits.TERMS)) {
            return List.of();
        }
        TreeSet<String> claims = new TreeSet<>();
        for (Volume volume : volumes) {
            String name = null;
            if (volume.getPersistentVolumeClaim() != null) {
                name = volume.getPersistentVolumeClaim().getClaimName();
            } else if (volume.getEphemeral() != null) {
                name = meta.name() + "-" + volume.getName();
            }
            if (name != null && problems.within(FIELD + ".claimName", name.length(), Limits.QUALIFIED_NAME)) {
                claims.add(meta.namespace() + "/" + name);
            }
        }
        return List.copyOf(claims);
    }
}
