package dev.muster.standalone.scenario.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What becomes of each kind of manifest, in plain sight. A kind that stands in no row is a custom resource of somebody
 * else: it is kept and named, too.
 */
public final class KindTable {
    /** What a kind means to a run. */
    public enum Use {
        /** The simulated cluster or the scheduler acts on it. */
        USED,
        /** It would matter, but its rules are not there yet: it is kept, and named in the output. */
        NOT_YET,
        /** It has no bearing on where pods run. */
        NO_MATTER
    }

    /**
     * A kind.
     *
     * @param versions those it is accepted in
     * @param what what it would do, for {@link Use#NOT_YET}
     */
    public record Row(String group, List<String> versions, String kind, boolean namespaced, Use use, String what) {
        /** The apiVersion in which a server keeps what is given in any of them. */
        String storedAs() {
            return group.isEmpty() ? versions.getFirst() : group + "/" + versions.getFirst();
        }
    }

    private static final List<Row> ROWS = rows();

    private KindTable() {}

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        used(rows, "", "v1", false, "Namespace", "Node");
        used(rows, "", "v1", true, "Pod");
        used(rows, "", "v1", true, "PersistentVolumeClaim");
        used(rows, "", "v1", false, "PersistentVolume");
        used(rows, "storage.k8s.io", "v1", false, "StorageClass", "CSINode");
        used(rows, "scheduling.k8s.io", "v1", false, "PriorityClass");
        used(rows, "policy", "v1", true, "PodDisruptionBudget");
        used(rows, "batch", "v1", true, "Job");
        used(rows, "batch.volcano.sh", "v1alpha1", true, "Job");
        used(rows, "scheduling.volcano.sh", "v1beta1", true, "PodGroup");
        used(rows, "scheduling.volcano.sh", "v1beta1", false, "Queue");
        used(rows, "scheduling.x-k8s.io", "v1alpha1", true, "PodGroup");
        used(rows, "scheduling.run.ai", "v2alpha2", true, "PodGroup");
        used(rows, "kai.scheduler", "v1alpha1", false, "Topology");
        String kueue = "kueue.x-k8s.io";
        used(rows, kueue, "v1beta2 v1beta1 v1alpha1", false, "Topology", "Cohort");
        used(rows, kueue, "v1beta2 v1beta1", false, "ClusterQueue", "ResourceFlavor", "WorkloadPriorityClass");
        used(rows, kueue, "v1beta2 v1beta1", true, "LocalQueue");
        used(rows, "topology.volcano.sh", "v1alpha1", false, "HyperNode");
        used(rows, "topology.node.k8s.io", "v1alpha2", false, "NodeResourceTopology");

        later(rows, kueue, "v1beta1 v1beta2", true, "Workloads that others make", "Workload");
        later(rows, kueue, "v1beta1 v1beta2", false, "admission checks", "AdmissionCheck");
        later(rows, "topology.node.k8s.io", "v1alpha1", false, "NUMA placement", "NodeResourceTopology");
        String devices = "dynamic resource allocation";
        String resource = "resource.k8s.io";
        later(rows, resource, "v1 v1beta1 v1beta2", false, devices, "DeviceClass", "ResourceSlice");
        later(rows, resource, "v1alpha3 v1beta2", false, devices, "DeviceTaintRule");
        later(rows, resource, "v1 v1beta1 v1beta2", true, devices, "ResourceClaim", "ResourceClaimTemplate");
        later(rows, "scheduling.k8s.io", "v1alpha1 v1alpha2", true, "workload API", "Workload", "PodGroup");

        String controllers = "the pods that its controller makes";
        later(rows, "apps", "v1", true, controllers, "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet");
        later(rows, "", "v1", true, controllers, "ReplicationController");
        later(rows, "batch", "v1", true, controllers, "CronJob");
        later(rows, "jobset.x-k8s.io", "v1alpha2", true, controllers, "JobSet");
        later(rows, "leaderworkerset.x-k8s.io", "v1", true, controllers, "LeaderWorkerSet");
        later(rows, "kubeflow.org", "v1 v1beta1 v2beta1", true, controllers, "MPIJob");
        later(
                rows,
                "kubeflow.org",
                "v1",
                true,
                controllers,
                "PyTorchJob",
                "TFJob",
                "XGBoostJob",
                "PaddleJob",
                "JAXJob");
        later(rows, "trainer.kubeflow.org", "v1alpha1", true, controllers, "TrainJob");
        later(rows, "ray.io", "v1", true, controllers, "RayCluster", "RayJob", "RayService");
        later(rows, "flow.volcano.sh", "v1alpha1", true, controllers, "JobFlow", "JobTemplate");
        later(rows, "workload.codeflare.dev", "v1beta2", true, controllers, "AppWrapper");

        String admission = "defaults at admission";
        later(rows, "node.k8s.io", "v1", false, admission, "RuntimeClass");
        later(rows, "", "v1", true, admission, "LimitRange", "ResourceQuota");
        later(rows, "storage.k8s.io", "v1", false, "volumes", "VolumeAttachment");
        later(rows, "storage.k8s.io", "v1", true, "volumes", "CSIStorageCapacity");

        String none = "";
        noMatter(rows, none, "v1", true, "ConfigMap", "Secret", "Service", "ServiceAccount", "Endpoints", "Event");
        noMatter(rows, none, "v1", true, "PodTemplate");
        noMatter(rows, "coordination.k8s.io", "v1", true, "Lease");
        noMatter(rows, "events.k8s.io", "v1", true, "Event");
        noMatter(rows, "discovery.k8s.io", "v1", true, "EndpointSlice");
        noMatter(rows, "networking.k8s.io", "v1", true, "NetworkPolicy", "Ingress");
        noMatter(rows, "networking.k8s.io", "v1", false, "IngressClass");
        noMatter(rows, "autoscaling", "v1 v2", true, "HorizontalPodAutoscaler");
        noMatter(rows, "rbac.authorization.k8s.io", "v1", true, "Role", "RoleBinding");
        noMatter(rows, "rbac.authorization.k8s.io", "v1", false, "ClusterRole", "ClusterRoleBinding");
        noMatter(rows, "apiextensions.k8s.io", "v1", false, "CustomResourceDefinition");
        return List.copyOf(rows);
    }

    /** The first version is the one that the simulated API server keeps. */
    private static void used(List<Row> rows, String group, String versions, boolean namespaced, String... kinds) {
        add(rows, group, versions, namespaced, Use.USED, "", kinds);
    }

    private static void later(
            List<Row> rows, String group, String versions, boolean namespaced, String what, String... kinds) {
        add(rows, group, versions, namespaced, Use.NOT_YET, what, kinds);
    }

    private static void noMatter(List<Row> rows, String group, String versions, boolean namespaced, String... kinds) {
        add(rows, group, versions, namespaced, Use.NO_MATTER, "", kinds);
    }

    private static void add(
            List<Row> rows, String group, String versions, boolean namespaced, Use use, String what, String... kinds) {
        for (String kind : kinds) {
            rows.add(new Row(group, List.of(versions.split(" ")), kind, namespaced, use, what));
        }
    }

    /** The row of an apiVersion and kind. */
    public static Optional<Row> find(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        return ROWS.stream()
                .filter(row -> row.group().equals(group)
                        && row.kind().equals(kind)
                        && row.versions().contains(version))
                .findFirst();
    }

    /**
     * The apiVersions in which a kind could have been meant: of the same group, or, where the group is one of Kubernetes' own
     * or is not known at all, of any. Empty where it may well be a custom resource.
     */
    static List<String> meant(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        boolean custom = group.contains(".")
                && ROWS.stream().noneMatch(row -> row.group().equals(group));
        TreeSet<String> found = new TreeSet<>();
        for (Row row : ROWS) {
            boolean sameGroup = row.group().equals(group);
            if (row.kind().equals(kind) && (sameGroup || !custom)) {
                row.versions().forEach(v -> found.add(row.group().isEmpty() ? v : row.group() + "/" + v));
            }
        }
        return List.copyOf(found);
    }

    /** Kinds of the core group, which no custom resource can extend. */
    static List<String> coreKinds() {
        return ROWS.stream()
                .filter(row -> row.group().isEmpty())
                .map(Row::kind)
                .sorted()
                .toList();
    }
}
