package dev.muster.standalone.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * Refuses bindings as the annotations {@code muster.dev/bind-error} and {@code muster.dev/bind-error-times} of pods and
 * nodes ask for, with the 403 that an admission webhook would give. Called under the store's lock.
 */
final class BindErrors {

    private static final String MESSAGE = "muster.dev/bind-error";
    private static final String TIMES = "muster.dev/bind-error-times";

    private final Map<String, Long> refusedByUid = new HashMap<>();

    /** Throws where the pod, or the node (null where it is not there), wants this binding refused. */
    void check(StoredObject pod, StoredObject node) {
        refuse(pod, pod);
        if (node != null) {
            refuse(pod, node);
        }
    }

    private void refuse(StoredObject pod, StoredObject annotated) {
        String message = Json.annotation(annotated.json(), MESSAGE);
        if (message.isEmpty()) {
            return;
        }
        String times = Json.annotation(annotated.json(), TIMES);
        long most = times.matches("\\d{1,9}") ? Long.parseLong(times) : Long.MAX_VALUE;
        long refused = refusedByUid.getOrDefault(annotated.uid(), 0L);
        if (refused < most) {
            refusedByUid.put(annotated.uid(), refused + 1);
            throw ApiException.forbidden(ResourceKinds.PODS, pod.key().name(), message);
        }
    }
}
