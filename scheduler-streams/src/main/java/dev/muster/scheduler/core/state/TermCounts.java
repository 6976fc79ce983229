package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps the groups' counts in step with what takes room: pods on nodes, and held or reserved room like the pod it is for. */
final class TermCounts {
    private final DomainState state;
    private final TermRegistry registry = new TermRegistry(this::fill);

    TermCounts(DomainState state) {
        this.state = state;
    }

    TermRegistry registry() {
        return registry;
    }

    /** The groups that a pod is one of. */
    List<PodGroup> selecting(String cluster, SeenPod pod) {
        return registry.none() ? List.of() : registry.selecting(cluster, pod, namespaceLabels(cluster, pod));
    }

    /** Counts the pods and holds that are there already. */
    private void fill(PodGroup group) {
        ClusterState cluster = state.cluster(group.cluster());
        for (NodeState node : cluster == null ? List.<NodeState>of() : cluster.nodes()) {
            for (PodState pod : node.pods.values()) {
                fill(group, pod.requirement, pod.seen, node);
            }
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (hold.cluster.equals(group.cluster())) {
                    fill(group, held.requirement, held.counted, held.node);
                }
            }
        }
    }

    private void fill(PodGroup group, InternedRequirement requirement, SeenPod pod, NodeState node) {
        if (pod != null && group.selects(pod, namespaceLabels(group.cluster(), pod))) {
            group.countSelected(node, 1);
        }
        if (group instanceof TermGroup terms) {
            terms.fillOwner(requirement.requirement().pods(), node);
        }
    }

    private Map<String, String> namespaceLabels(String cluster, SeenPod pod) {
        if (!registry.looksAtNamespaces(cluster)) {
            return NO_LABELS;
        }
        Row.PolicyObject known = state.policies.get(Kinds.NAMESPACE + "/" + cluster + "//" + pod.namespace());
        return known != null && known.policy() instanceof Policy.Namespace found ? found.labels() : NO_LABELS;
    }

    private static final Map<String, String> NO_LABELS = new TreeMap<>();

    /** A pod, or room for one, is on a node from now on, or (-1) no longer; {@code pod} null where none is known yet. */
    void count(InternedRequirement requirement, SeenPod pod, NodeState node, int sign) {
        if (registry.none()) {
            return;
        }
        countSelected(pod, node, sign);
        TermRegistry.Uses uses = registry.of(requirement, node.id().cluster());
        for (TermGroup group : uses.apart) {
            group.countOwner(node, sign);
        }
        for (TermGroup.Weighted pull : uses.pulls) {
            pull.group().countPull(node, sign * pull.weight());
        }
    }

    /** The same of its labels alone. */
    void countSelected(SeenPod pod, NodeState node, int sign) {
        if (pod != null) {
            for (PodGroup group : selecting(node.id().cluster(), pod)) {
                group.countSelected(node, sign);
            }
        }
    }

    /** All that takes room on a node, around a change of the node's labels. */
    void countAll(NodeState node, int sign) {
        if (registry.none()) {
            return;
        }
        for (PodState pod : node.pods.values()) {
            count(pod.requirement, pod.seen, node, sign);
        }
        for (Hold hold : state.holds.values()) {
            for (HeldMember held : hold.members) {
                if (held.node == node) {
                    count(held.requirement, held.counted, node, sign);
                }
            }
        }
    }
}
