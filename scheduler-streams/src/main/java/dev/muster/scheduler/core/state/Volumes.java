package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.Storage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is known of the storage of member clusters, and which of their claims are in use. */
public final class Volumes {
    private final DomainState state;
    /** Pods that use claims, by cluster, namespace and name: two of one name when a deletion was not heard of yet; only looked up. */
    private final Map<String, List<PodState>> podsByName = new HashMap<>();

    Volumes(DomainState state) {
        this.state = state;
    }

    /** Whether all is known that pods with claims depend on. */
    public boolean listed(ClusterState cluster) {
        return Kinds.STORAGE.stream().allMatch(cluster::listed);
    }

    /** A claim, by namespace/name; null where it is not known. */
    public Storage.Claim claim(String cluster, String claim) {
        return find(Kinds.CLAIM + "/" + cluster + "/" + claim) instanceof Storage.Claim found ? found : null;
    }

    /**
     * Whether a claim is the ephemeral volume of a pod that is not there: it goes with that pod, and another one is made for
     * the pod that has its name now (component-helpers, ephemeral.VolumeIsForPod).
     */
    public boolean isLeft(String cluster, Storage.Claim claim) {
        if (claim.pod().isEmpty()) {
            return false;
        }
        PodState pod = state.pods.get(new PodId(cluster, claim.pod()));
        return pod == null || pod.facts.deleting() || hasSuccessor(pod);
    }

    /** Whether a later pod has its name: it is gone, though its deletion was not heard of. */
    private boolean hasSuccessor(PodState pod) {
        return podsByName.getOrDefault(nameOf(pod), List.of()).stream()
                .anyMatch(other -> other.resourceVersion > pod.resourceVersion);
    }

    /** A pod that may use claims is known from now on. */
    void podKnown(PodState pod) {
        if (!pod.requirement.requirement().claims().isEmpty()) {
            List<PodState> known = podsByName.computeIfAbsent(nameOf(pod), name -> new ArrayList<>(1));
            if (!known.contains(pod)) {
                known.add(pod);
            }
        }
    }

    /** A pod is known no longer. */
    void podForgotten(PodState pod) {
        if (podsByName.isEmpty()) {
            return;
        }
        podsByName.computeIfPresent(nameOf(pod), (name, known) -> {
            known.remove(pod);
            return known.isEmpty() ? null : known;
        });
    }

    private static String nameOf(PodState pod) {
        return pod.id().cluster() + "/" + pod.namespace() + "/" + pod.name;
    }

    /** A volume; null where it is not known. */
    public Storage.Volume volume(String cluster, String name) {
        return find(Kinds.VOLUME + "/" + cluster + "//" + name) instanceof Storage.Volume found ? found : null;
    }

    /** A storage class; null where it is not known. */
    public Storage.Class storageClass(String cluster, String name) {
        return find(Kinds.STORAGE_CLASS + "/" + cluster + "//" + name) instanceof Storage.Class found ? found : null;
    }

    /** What is known of a node's CSI drivers; null where nothing is. */
    public Storage.CsiNode csiNode(NodeState node) {
        String key =
                Kinds.CSI_NODE + "/" + node.id().cluster() + "//" + node.id().name();
        return find(key) instanceof Storage.CsiNode found ? found : null;
    }

    private Object find(String key) {
        Row.PolicyObject known = state.policies.get(key);
        return known == null ? null : known.policy();
    }

    /** Volumes of a cluster that could be bound, by name. */
    public SortedMap<String, Storage.Volume> available(String cluster) {
        String prefix = Kinds.VOLUME + "/" + cluster + "//";
        TreeMap<String, Storage.Volume> available = new TreeMap<>();
        for (Row.PolicyObject row : state.policies.tailMap(prefix).values()) {
            if (!row.key().startsWith(prefix)) {
                break;
            }
            if (row.policy() instanceof Storage.Volume volume && volume.available()) {
                available.put(row.origin().name(), volume);
            }
        }
        return available;
    }

    /** How many pods use a claim, room held for them included. */
    public int users(String cluster, String claim) {
        return state.cluster(cluster).claimUsers(claim);
    }

    /** Claims in use in a cluster that are not bound yet by what is known, nor promised anything; with a node where they are. */
    public SortedMap<String, NodeState> unexplained(ClusterState cluster) {
        TreeMap<String, NodeState> found = new TreeMap<>();
        for (NodeState node : cluster.nodes()) {
            for (String name : node.claims()) {
                Storage.Claim claim = claim(cluster.name(), name);
                if (claim != null && !claim.bound() && cluster.promises().of(name) == null) {
                    found.putIfAbsent(name, node);
                }
            }
        }
        return found;
    }
}
