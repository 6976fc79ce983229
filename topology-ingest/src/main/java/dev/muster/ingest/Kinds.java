package dev.muster.ingest;

import dev.muster.ingest.map.BatchJobMapper;
import dev.muster.ingest.map.DisruptionBudgetMapper;
import dev.muster.ingest.map.GpuHealthMapper;
import dev.muster.ingest.map.GroupMapper;
import dev.muster.ingest.map.HyperNodeMapper;
import dev.muster.ingest.map.JobMapper;
import dev.muster.ingest.map.KaiGroupMapper;
import dev.muster.ingest.map.Mapped;
import dev.muster.ingest.map.NamespaceMapper;
import dev.muster.ingest.map.NodeMapper;
import dev.muster.ingest.map.NumaMapper;
import dev.muster.ingest.map.PodMapper;
import dev.muster.ingest.map.PriorityClassMapper;
import dev.muster.ingest.map.QueueMapper;
import dev.muster.ingest.map.QuotaMapper;
import dev.muster.ingest.map.StorageMapper;
import dev.muster.ingest.map.TopologyMapper;
import dev.muster.ingest.publish.Projection;
import dev.muster.ingest.watch.KubernetesListWatch;
import dev.muster.ingest.watch.ListWatch;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.HealthSignal;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.function.Function;

/** Which kinds are watched, how each becomes facts, and which topic tells of it. */
final class Kinds {

    /**
     * One watched kind.
     *
     * @param optional the server may not have it: a CRD that is not installed
     */
    record Kind<T extends HasMetadata>(
            String name, boolean optional, ListWatch<T> source, List<Projection<T, ?>> projections) {}

    private final IngestConfig config;
    private final Topics topics;
    private final Sources sources;

    private Kinds(IngestConfig config, Topics topics, Sources sources) {
        this.config = config;
        this.topics = topics;
        this.sources = sources;
    }

    /** All kinds of a cluster that a client reaches. */
    static List<Kind<?>> of(IngestConfig config, Topics topics, KubernetesClient client) {
        return of(config, topics, Sources.of(KubernetesListWatch.plain(client), config.pageSize()));
    }

    /** All kinds. Queues and priority classes come before the groups and pods that name them, as a courtesy. */
    static List<Kind<?>> of(IngestConfig config, Topics topics, Sources sources) {
        Kinds kinds = new Kinds(config, topics, sources);
        return List.of(
                kinds.nodes(),
                kinds.core(Namespace.class, kinds.policy("Namespace", NamespaceMapper::map)),
                kinds.core(StorageClass.class, kinds.policy("StorageClass", StorageMapper::storageClass)),
                kinds.core(CSINode.class, kinds.policy("CSINode", StorageMapper::csiNode)),
                kinds.core(PersistentVolume.class, kinds.policy("PersistentVolume", StorageMapper::volume)),
                kinds.core(PersistentVolumeClaim.class, kinds.policy("PersistentVolumeClaim", StorageMapper::claim)),
                kinds.core(PriorityClass.class, kinds.policy("PriorityClass", PriorityClassMapper::map)),
                kinds.core(PodDisruptionBudget.class, kinds.policy("PodDisruptionBudget", DisruptionBudgetMapper::map)),
                kinds.custom(
                        "scheduling.volcano.sh",
                        "v1beta1",
                        "Queue",
                        "queues",
                        false,
                        kinds.policy("VolcanoQueue", QueueMapper::map)),
                kinds.kueue("Topology", "topologies", false, TopologyMapper::map),
                kinds.kueue("ResourceFlavor", "resourceflavors", false, QuotaMapper::flavor),
                kinds.kueue("Cohort", "cohorts", false, QuotaMapper::cohort),
                kinds.kueue("ClusterQueue", "clusterqueues", false, QuotaMapper::clusterQueue),
                kinds.kueue("LocalQueue", "localqueues", true, QuotaMapper::localQueue),
                kinds.kueue("WorkloadPriorityClass", "workloadpriorityclasses", false, QuotaMapper::priorityClass),
                kinds.custom(
                        "topology.volcano.sh",
                        "v1alpha1",
                        "HyperNode",
                        "hypernodes",
                        false,
                        kinds.policy("HyperNode", HyperNodeMapper::map)),
                kinds.custom(
                        "topology.node.k8s.io",
                        "v1alpha2",
                        "NodeResourceTopology",
                        "noderesourcetopologies",
                        false,
                        kinds.numa()),
                kinds.custom(
                        "scheduling.volcano.sh",
                        "v1beta1",
                        "PodGroup",
                        "podgroups",
                        true,
                        kinds.group("VolcanoPodGroup", GroupMapper::volcano)),
                kinds.podGroups(),
                kinds.custom(
                        "kai.scheduler",
                        "v1alpha1",
                        "Topology",
                        "topologies",
                        false,
                        kinds.policy("KaiTopology", TopologyMapper::map)),
                kinds.custom(
                        "scheduling.run.ai",
                        "v2alpha2",
                        "PodGroup",
                        "podgroups",
                        true,
                        kinds.group("KaiPodGroup", KaiGroupMapper::map)),
                kinds.custom(
                        "batch.volcano.sh", "v1alpha1", "Job", "jobs", true, kinds.group("VolcanoJob", JobMapper::map)),
                kinds.core(Job.class, kinds.group("BatchJob", BatchJobMapper::map)),
                kinds.core(Pod.class, kinds.pods()));
    }

    private Kind<Node> nodes() {
        Projection<Node, ?> facts = new Projection<>(
                "Node",
                topics.nodes(),
                NodeMapper::map,
                NodeEvent::new,
                id -> Keys.node(config.domain(), config.cluster(), id.name()),
                spec -> false);
        Projection<Node, ?> health = new Projection<Node, List<HealthSignal>>(
                "GpuHealth",
                topics.gpuHealth(),
                new GpuHealthMapper(config.health())::map,
                (origin, signals) -> new HealthEvent(origin, signals == null ? List.of() : signals),
                id -> Keys.node(config.domain(), config.cluster(), id.name()),
                List::isEmpty);
        return new Kind<>("Node", false, sources.core(Node.class), List.of(facts, health));
    }

    private Projection<Pod, ?> pods() {
        return new Projection<>(
                "Pod",
                topics.pods(),
                new PodMapper(config.schedulerNames())::map,
                PodEvent::new,
                id -> Keys.pod(config.domain(), config.cluster(), id.uid()),
                spec -> false);
    }

    private Projection<GenericKubernetesResource, ?> numa() {
        return new Projection<>(
                "NodeResourceTopology",
                topics.numa(),
                NumaMapper::map,
                NumaEvent::new,
                id -> Keys.node(config.domain(), config.cluster(), id.name()),
                spec -> false);
    }

    private <T extends HasMetadata> Projection<T, ?> group(String kind, Function<T, Mapped<GroupSpec>> mapper) {
        return new Projection<>(
                kind,
                topics.workloads(),
                mapper,
                (origin, spec) -> new GroupEvent(origin, kind, spec),
                id -> Keys.group(config.domain(), config.cluster(), kind, id.namespace(), id.name()),
                spec -> false);
    }

    private <T extends HasMetadata, S> Projection<T, S> policy(String kind, Function<T, Mapped<S>> mapper) {
        return new Projection<>(
                kind,
                topics.policies(),
                mapper,
                (origin, spec) -> new PolicyEvent(origin, kind, spec),
                id -> Keys.policy(config.domain(), kind, config.cluster(), id.namespace(), id.name()),
                spec -> false);
    }

    private <T extends HasMetadata> Kind<T> core(Class<T> type, Projection<T, ?> projection) {
        return new Kind<>(projection.kind(), false, sources.core(type), List.of(projection));
    }

    /** Kueue's: v1beta2 since 0.15; v1beta1, and of some kinds v1alpha1, before. */
    private <S> Kind<GenericKubernetesResource> kueue(
            String kind, String plural, boolean namespaced, Function<GenericKubernetesResource, Mapped<S>> mapper) {
        Function<String, ResourceDefinitionContext> version =
                name -> context("kueue.x-k8s.io", name, kind, plural, namespaced);
        return new Kind<>(
                kind,
                true,
                sources.custom(version.apply("v1beta2"), List.of(version.apply("v1beta1"), version.apply("v1alpha1"))),
                List.of(policy(kind, mapper)));
    }

    /** Those of scheduler-plugins; of Koordinator, which has the older group, where there are none. */
    private Kind<GenericKubernetesResource> podGroups() {
        Function<String, ResourceDefinitionContext> of =
                group -> context(group, "v1alpha1", "PodGroup", "podgroups", true);
        Projection<GenericKubernetesResource, ?> projection = group("PodGroup", GroupMapper::schedulerPlugins);
        return new Kind<>(
                projection.kind(),
                true,
                sources.custom(of.apply("scheduling.x-k8s.io"), List.of(of.apply("scheduling.sigs.k8s.io"))),
                List.of(projection));
    }

    private Kind<GenericKubernetesResource> custom(
            String group,
            String version,
            String kind,
            String plural,
            boolean namespaced,
            Projection<GenericKubernetesResource, ?> projection) {
        return new Kind<>(
                projection.kind(),
                true,
                sources.custom(context(group, version, kind, plural, namespaced)),
                List.of(projection));
    }

    private static ResourceDefinitionContext context(
            String group, String version, String kind, String plural, boolean namespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }
}
