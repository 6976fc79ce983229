package dev.muster.binder;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reduces objects of the API server to what binding needs. Never fails on odd objects. */
final class Projection {

    private Projection() {}

    static PodState of(Pod pod) {
        ObjectMeta meta = pod.getMetadata();
        var spec = pod.getSpec();
        var status = pod.getStatus();
        String phase = status == null ? "" : Objects.toString(status.getPhase(), "");
        return new PodState(
                new PodKey(Objects.toString(meta.getNamespace(), ""), meta.getName()),
                Objects.toString(meta.getUid(), ""),
                Objects.toString(meta.getResourceVersion(), ""),
                spec == null ? "" : Objects.toString(spec.getNodeName(), ""),
                meta.getDeletionTimestamp() != null,
                phase.equals("Succeeded") || phase.equals("Failed"),
                value(meta.getAnnotations(), Marks.DECISION),
                attempt(value(meta.getAnnotations(), Marks.ATTEMPT)),
                value(meta.getAnnotations(), Marks.FENCED_BY),
                value(meta.getAnnotations(), Marks.FENCED_BECAUSE),
                owner(meta),
                status == null ? 0 : waitingHash(status.getConditions()));
    }

    static NodeState of(Node node) {
        return new NodeState(
                node.getMetadata().getName(),
                Objects.toString(node.getMetadata().getUid(), ""),
                node.getStatus() != null && ready(node.getStatus().getConditions()));
    }

    static ClaimState of(PersistentVolumeClaim claim) {
        ObjectMeta meta = claim.getMetadata();
        var spec = claim.getSpec();
        String phase = claim.getStatus() == null
                ? ""
                : Objects.toString(claim.getStatus().getPhase(), "");
        String volume = spec == null ? "" : Objects.toString(spec.getVolumeName(), "");
        boolean completed = phase.equals("Bound")
                || !value(meta.getAnnotations(), Marks.BIND_COMPLETED).isEmpty();
        return new ClaimState(
                Objects.toString(meta.getNamespace(), ""),
                meta.getName(),
                Objects.toString(meta.getUid(), ""),
                Objects.toString(meta.getResourceVersion(), ""),
                volume,
                completed && !volume.isEmpty(),
                phase.equals("Lost"),
                meta.getDeletionTimestamp() != null,
                value(meta.getAnnotations(), Marks.SELECTED_NODE));
    }

    static VolumeState of(PersistentVolume volume) {
        ObjectMeta meta = volume.getMetadata();
        var spec = volume.getSpec();
        ObjectReference claim = spec == null ? null : spec.getClaimRef();
        var affinity = spec == null || spec.getNodeAffinity() == null
                ? null
                : spec.getNodeAffinity().getRequired();
        return new VolumeState(
                meta.getName(),
                Objects.toString(meta.getUid(), ""),
                Objects.toString(meta.getResourceVersion(), ""),
                claim == null ? "" : claim.getNamespace() + "/" + claim.getName(),
                claim == null ? "" : Objects.toString(claim.getUid(), ""),
                meta.getDeletionTimestamp() != null,
                affinity == null ? List.of() : affinity.getNodeSelectorTerms());
    }

    static Seal seal(Lease lease) {
        ObjectMeta meta = lease.getMetadata();
        return Seal.ofMarks(value(meta.getLabels(), Marks.SEAL), value(meta.getAnnotations(), Marks.FENCED_BECAUSE));
    }

    /** Total: whatever a stranger wrote there is no fence of ours unless it is a number. */
    static long attempt(String annotation) {
        if (annotation.isEmpty() || annotation.length() > 18) {
            return -1;
        }
        try {
            return Long.parseLong(annotation);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static JobIdentity owner(ObjectMeta meta) {
        String tenant = value(meta.getAnnotations(), Marks.TENANT);
        String job = value(meta.getLabels(), Marks.JOB);
        return tenant.isEmpty() && job.isEmpty() ? JobIdentity.NONE : new JobIdentity(tenant, job);
    }

    private static int waitingHash(List<PodCondition> conditions) {
        for (PodCondition condition : conditions) {
            if ("PodScheduled".equals(condition.getType())
                    && "False".equals(condition.getStatus())
                    && "Unschedulable".equals(condition.getReason())) {
                return PodState.waitingHash(Objects.toString(condition.getMessage(), ""));
            }
        }
        return 0;
    }

    private static boolean ready(List<NodeCondition> conditions) {
        for (NodeCondition condition : conditions) {
            if ("Ready".equals(condition.getType())) {
                return "True".equals(condition.getStatus());
            }
        }
        return false;
    }

    private static String value(Map<String, String> map, String key) {
        return map == null ? "" : map.getOrDefault(key, "");
    }
}
