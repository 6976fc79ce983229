package dev.muster.standalone.cluster;

import static dev.muster.standalone.cluster.ResourceKind.Trait.CUSTOM;
import static dev.muster.standalone.cluster.ResourceKind.Trait.GENERATION;
import static dev.muster.standalone.cluster.ResourceKind.Trait.STATUS;
import static dev.muster.standalone.cluster.ResourceKind.Trait.STATUS_AT_CREATION;
import static dev.muster.standalone.cluster.ResourceKind.Trait.VERSIONED_UPDATE;

import dev.muster.standalone.cluster.ResourceKind.Trait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The kinds the simulated API server knows, in plain sight: a further kind is one more line. */
public final class ResourceKinds {

    public static final ResourceKind NAMESPACES = core("namespaces", "Namespace", false, STATUS);
    public static final ResourceKind NODES = core("nodes", "Node", false, STATUS_AT_CREATION);
    public static final ResourceKind PODS = core("pods", "Pod", true, STATUS);
    public static final ResourceKind EVENTS = core("events", "Event", true);
    public static final ResourceKind SERVICES = core("services", "Service", true, STATUS);
    public static final ResourceKind CONFIG_MAPS = core("configmaps", "ConfigMap", true);
    public static final ResourceKind SECRETS = core("secrets", "Secret", true);
    public static final ResourceKind CLAIMS = core("persistentvolumeclaims", "PersistentVolumeClaim", true, STATUS);
    public static final ResourceKind VOLUMES = core("persistentvolumes", "PersistentVolume", false, STATUS_AT_CREATION);
    public static final ResourceKind STORAGE_CLASSES =
            in("storage.k8s.io", "v1", "storageclasses", "StorageClass", false);
    public static final ResourceKind CSI_NODES = in("storage.k8s.io", "v1", "csinodes", "CSINode", false);
    public static final ResourceKind SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);

    public static final ResourceKind JOBS = in("batch", "v1", "jobs", "Job", true, STATUS, GENERATION);
    public static final ResourceKind PRIORITY_CLASSES =
            in("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false, GENERATION);
    public static final ResourceKind RUNTIME_CLASSES = in("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", false);
    public static final ResourceKind DISRUPTION_BUDGETS = in(
            "policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true, STATUS, GENERATION, VERSIONED_UPDATE);
    public static final ResourceKind LEASES =
            in("coordination.k8s.io", "v1", "leases", "Lease", true, VERSIONED_UPDATE);
    public static final ResourceKind NEW_EVENTS = in("events.k8s.io", "v1", "events", "Event", true);

    public static final ResourceKind VOLCANO_JOBS = custom("batch.volcano.sh", "v1alpha1", "jobs", "Job", true, STATUS);
    public static final ResourceKind VOLCANO_POD_GROUPS =
            custom("scheduling.volcano.sh", "v1beta1", "podgroups", "PodGroup", true, STATUS);
    public static final ResourceKind VOLCANO_QUEUES =
            custom("scheduling.volcano.sh", "v1beta1", "queues", "Queue", false, STATUS);
    public static final ResourceKind VOLCANO_COMMANDS =
            custom("bus.volcano.sh", "v1alpha1", "commands", "Command", true);
    public static final ResourceKind POD_GROUPS =
            custom("scheduling.x-k8s.io", "v1alpha1", "podgroups", "PodGroup", true, STATUS);
    public static final ResourceKind KAI_POD_GROUPS =
            custom("scheduling.run.ai", "v2alpha2", "podgroups", "PodGroup", true, STATUS);
    public static final ResourceKind NODE_TOPOLOGIES =
            custom("topology.node.k8s.io", "v1alpha2", "noderesourcetopologies", "NodeResourceTopology", false);

    public static final ResourceKind TOPOLOGIES = kueue("topologies", "Topology", false);
    public static final ResourceKind CLUSTER_QUEUES = kueue("clusterqueues", "ClusterQueue", false);
    public static final ResourceKind COHORTS = kueue("cohorts", "Cohort", false);
    public static final ResourceKind LOCAL_QUEUES = kueue("localqueues", "LocalQueue", true);
    public static final ResourceKind RESOURCE_FLAVORS = kueue("resourceflavors", "ResourceFlavor", false);
    public static final ResourceKind WORKLOAD_PRIORITY_CLASSES =
            kueue("workloadpriorityclasses", "WorkloadPriorityClass", false);
    public static final ResourceKind KAI_TOPOLOGIES =
            custom("kai.scheduler", "v1alpha1", "topologies", "Topology", false);
    public static final ResourceKind HYPER_NODES =
            custom("topology.volcano.sh", "v1alpha1", "hypernodes", "HyperNode", false, STATUS);

    /** Every kind there is, in the order of discovery. */
    public static final List<ResourceKind> ALL = List.of(
            NAMESPACES,
            NODES,
            PODS,
            EVENTS,
            SERVICES,
            CONFIG_MAPS,
            SECRETS,
            CLAIMS,
            VOLUMES,
            SERVICE_ACCOUNTS,
            JOBS,
            PRIORITY_CLASSES,
            RUNTIME_CLASSES,
            DISRUPTION_BUDGETS,
            STORAGE_CLASSES,
            CSI_NODES,
            LEASES,
            NEW_EVENTS,
            VOLCANO_JOBS,
            VOLCANO_POD_GROUPS,
            VOLCANO_QUEUES,
            VOLCANO_COMMANDS,
            POD_GROUPS,
            KAI_POD_GROUPS,
            NODE_TOPOLOGIES,
            TOPOLOGIES,
            KAI_TOPOLOGIES,
            CLUSTER_QUEUES,
            COHORTS,
            LOCAL_QUEUES,
            RESOURCE_FLAVORS,
            WORKLOAD_PRIORITY_CLASSES,
            HYPER_NODES);

    private final List<ResourceKind> served;

    /** The kinds of one server. Those of a group that is switched off are unknown to it, as without their CRD. */
    ResourceKinds(Collection<ResourceKind> more, Set<String> groupsOff) {
        List<ResourceKind> kinds = new ArrayList<>(ALL);
        kinds.addAll(more);
        kinds.removeIf(kind -> groupsOff.contains(kind.group()));
        served = List.copyOf(kinds);
    }

    List<ResourceKind> served() {
        return served;
    }

    Optional<ResourceKind> byPath(String group, String version, String plural) {
        return served.stream()
                .filter(kind -> kind.group().equals(group)
                        && kind.version().equals(version)
                        && kind.plural().equals(plural))
                .findFirst();
    }

    Optional<ResourceKind> byManifest(String apiVersion, String kindName) {
        return served.stream()
                .filter(kind ->
                        kind.apiVersion().equals(apiVersion) && kind.kind().equals(kindName))
                .findFirst();
    }

    private static ResourceKind core(String plural, String kind, boolean namespaced, Trait... traits) {
        return in("", "v1", plural, kind, namespaced, traits);
    }

    private static ResourceKind kueue(String plural, String kind, boolean namespaced) {
        return custom("kueue.x-k8s.io", "v1beta2", plural, kind, namespaced, STATUS);
    }

    private static ResourceKind custom(
            String group, String version, String plural, String kind, boolean namespaced, Trait... traits) {
        Set<Trait> all = new java.util.HashSet<>(List.of(traits));
        all.addAll(Set.of(CUSTOM, GENERATION, VERSIONED_UPDATE));
        return new ResourceKind(group, version, plural, kind, namespaced, all);
    }

    private static ResourceKind in(
            String group, String version, String plural, String kind, boolean namespaced, Trait... traits) {
        return new ResourceKind(group, version, plural, kind, namespaced, Set.of(traits));
    }
}
